// Replaced by the room's owner.
