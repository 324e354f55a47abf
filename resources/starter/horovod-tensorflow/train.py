"""Trains a small network on CIFAR-10 with Horovod and Keras.

horovodrun starts one process per slot on every node; the node runner (/etc/datascience/node.py) starts horovodrun. It
does so in elastic mode, so what must survive a lost node lives in `state`. Tries it out on one machine:

    horovodrun -np 2 python3 train.py --made-up 512 --epochs 1
"""

import argparse
import os
import pathlib

import horovod.tensorflow.keras as hvd
import lockstep  # records metrics where a node agent of Lockstep collects them; does nothing elsewhere
import numpy as np
import tensorflow as tf


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--made-up", type=int, metavar="N", help="train on N made-up pictures instead of CIFAR-10")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=128, help="pictures per process and step")
    parser.add_argument("--learning-rate", type=float, default=0.01, help="of one process; grows with their number")
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
        # Keras downloads below its home: each process of a node has its own.
        os.environ["KERAS_HOME"] = f"/tmp/keras-{hvd.local_rank()}"
        (pictures, labels), _ = tf.keras.datasets.cifar10.load_data()
        pictures, labels = pictures / 255.0, labels.reshape(-1)
    data = tf.data.Dataset.from_tensor_slices((pictures.astype("float32"), labels.astype("int64")))
    # Elastic mode may change the number of processes: everybody draws from the whole set, in an order of its own.
    return data.shuffle(len(labels), seed=hvd.rank()).repeat().batch(options.batch_size), len(labels)


def make_model():
    layers = [tf.keras.layers.InputLayer(input_shape=(32, 32, 3))]
    for width in (32, 64, 128):
        layers += [tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu"),
                   tf.keras.layers.BatchNormalization(), tf.keras.layers.MaxPooling2D()]
    layers += [tf.keras.layers.Flatten(), tf.keras.layers.Dense(256, activation="relu"), tf.keras.layers.Dense(10)]
    return tf.keras.Sequential(layers)


def main():
    options = parse_arguments()
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

    data, count = load_data(options)
    model = make_model()
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.legacy.SGD(options.learning_rate * hvd.size(), momentum=0.9))
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    # Eager functions: Horovod's gradients are exchanged in apply_gradients.
    model.compile(optimizer, loss, metrics=["accuracy"], experimental_run_tf_function=False)
    model.fit(data, steps_per_epoch=1, epochs=1, verbose=0)  # makes the variables that the state keeps

    state = hvd.elastic.KerasState(model, batch=0, epoch=0)

    def on_reset():
        tf.keras.backend.set_value(state.model.optimizer.lr, options.learning_rate * hvd.size())

    state.register_reset_callbacks([on_reset])
    callbacks = [hvd.elastic.UpdateEpochStateCallback(state), hvd.elastic.CommitStateCallback(state, batches_per_commit=50),
                 lockstep.keras_callback()]

    @hvd.elastic.run
    def train(state):
        steps = max(1, count // (options.batch_size * hvd.size()))
        state.model.fit(data, steps_per_epoch=steps, epochs=options.epochs, initial_epoch=state.epoch,
                        callbacks=callbacks, verbose=2 if hvd.rank() == 0 else 0)

    train(state)
    if hvd.rank() == 0:
        folder = pathlib.Path(options.output_dir)
        folder.mkdir(parents=True, exist_ok=True)
        model.save_weights(str(folder / "model.weights.h5"))
        print(f"wrote {folder / 'model.weights.h5'}", flush=True)


if __name__ == "__main__":
    main()
