#!/bin/sh
# What the container starts with; ads and `lockstep plan` expect it here.
exec python3 /etc/datascience/node.py "$@"
