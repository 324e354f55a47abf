"""Trains a small network on CIFAR-10 with tf.distribute.

TF_CONFIG comes from the node runner (/etc/datascience/node.py) and decides the strategy: with parameter servers in it
(train-ps.yaml) ParameterServerStrategy, else MultiWorkerMirroredStrategy (train.yaml). Without TF_CONFIG it trains
alone:

    python3 train.py --made-up 512 --epochs 1
"""

import argparse
import json
import os
import pathlib

os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")  # Keras 3 knows neither of the two strategies

import lockstep  # records metrics where a node agent of Lockstep collects them; does nothing elsewhere
import numpy as np
import tensorflow as tf

TF_CONFIG = json.loads(os.environ.get("TF_CONFIG") or "{}")
ROLE = TF_CONFIG.get("task", {}).get("type", "worker")
INDEX = int(TF_CONFIG.get("task", {}).get("index", 0))  # ads writes it as a text on some nodes
HAS_SERVERS = bool(TF_CONFIG.get("cluster", {}).get("ps"))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--made-up", type=int, metavar="N", help="train on N made-up pictures instead of CIFAR-10")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=128, help="pictures per replica and step")
    parser.add_argument("--output-dir", default=os.environ.get("OCI__SYNC_DIR", "/opt/ml"))
    return parser.parse_args()


def load_data(options):
    # A rehearsal of Lockstep downloads nothing.
    count = options.made_up or (192 if "LOCKSTEP_REHEARSAL" in os.environ else 0)
    if count:
        generator = np.random.default_rng(1)
        labels = generator.integers(10, size=count)
        colors = generator.random((10, 3))
        pictures = generator.random((count, 32, 32, 3)) * 0.5 + colors[labels][:, None, None, :] * 0.5
    else:
        (pictures, labels), _ = tf.keras.datasets.cifar10.load_data()
        pictures, labels = pictures / 255.0, labels.reshape(-1)
    return pictures.astype("float32"), labels.astype("int64")


def make_model():
    layers = [tf.keras.layers.InputLayer(input_shape=(32, 32, 3))]
    for width in (32, 64, 128):
        layers += [tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu"), tf.keras.layers.MaxPooling2D()]
    layers += [tf.keras.layers.Flatten(), tf.keras.layers.Dense(256, activation="relu"), tf.keras.layers.Dense(10)]
    model = tf.keras.Sequential(layers)
    # The older optimizers: the newer ones cannot keep their counters on parameter servers when a worker has many GPUs.
    model.compile(tf.keras.optimizers.legacy.SGD(0.01, momentum=0.9),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    return model


def resolver():
    # The index as a number, whatever TF_CONFIG says.
    if TF_CONFIG:
        os.environ["TF_CONFIG"] = json.dumps({**TF_CONFIG, "task": {"type": ROLE, "index": INDEX}})
    return tf.distribute.cluster_resolver.TFConfigClusterResolver()


def serve():
    """A worker or parameter server: does what the chief says, until the node runner ends it."""
    cluster = resolver()
    server = tf.distribute.Server(cluster.cluster_spec(), job_name=ROLE, task_index=INDEX,
                                  protocol=cluster.rpc_layer or "grpc", start=True)
    server.join()


def train_with_servers(options):
    strategy = tf.distribute.ParameterServerStrategy(resolver())
    pictures, labels = load_data(options)
    # Whole batches of the same size, without an end: each worker takes steps at its own speed.
    data = tf.data.Dataset.from_tensor_slices((pictures, labels)).shuffle(len(labels)).repeat()
    data = data.batch(options.batch_size, drop_remainder=True)
    workers = max(1, len(TF_CONFIG["cluster"].get("worker", [])))
    with strategy.scope():
        model = make_model()
    model.fit(data, epochs=options.epochs, steps_per_epoch=max(1, len(labels) // (options.batch_size * workers)), verbose=2,
              callbacks=[lockstep.keras_callback()])
    return model


def train_mirrored(options):
    resolver()
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    pictures, labels = load_data(options)
    total = options.batch_size * strategy.num_replicas_in_sync
    data = tf.data.Dataset.from_tensor_slices((pictures, labels)).shuffle(len(labels), seed=1).repeat().batch(total)
    sharding = tf.data.Options()
    sharding.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    with strategy.scope():
        model = make_model()
    model.fit(data.with_options(sharding), epochs=options.epochs, steps_per_epoch=max(1, len(labels) // total), verbose=2,
              callbacks=[lockstep.keras_callback()])
    return model


def save(model, options):
    """All workers must take part in saving; only the first one's files are kept."""
    first = ROLE == "chief" or INDEX == 0
    folder = pathlib.Path(options.output_dir) if first else pathlib.Path(f"/tmp/not-kept-{INDEX}")
    folder.mkdir(parents=True, exist_ok=True)
    model.save_weights(str(folder / "model.weights.h5"))
    if first:
        print(f"wrote {folder / 'model.weights.h5'}", flush=True)


def main():
    options = parse_arguments()
    if HAS_SERVERS and ROLE in ("worker", "ps"):
        return serve()
    save(train_with_servers(options) if HAS_SERVERS else train_mirrored(options), options)


if __name__ == "__main__":
    main()
