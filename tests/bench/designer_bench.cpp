// SPDX-License-Identifier: GPL-3.0-or-later
// What one edit of a field costs with everything that shows the document: the text, its checks, form, YAML
// pane and problems. Prints milliseconds: n, median (10th to 90th percentile).
#include <QApplication>
#include <QElapsedTimer>
#include <QTextStream>
#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

#include "large_train_yaml.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/cluster/yaml/yaml_editor.h"

namespace {

using namespace lockstep;

struct Times {
  std::vector<double> wall;
  std::vector<double> cpu;  // of this process: what is left of `wall` on a machine that others use too
};
struct Measured {
  Times edit;   // the call: text, checks and all views are up to date after it
  Times paint;  // what the event loop then does: layout and painting
};

double cpuMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void timed(Times& times, const std::function<void()>& work) {
  QElapsedTimer timer;
  timer.start();
  const double before = cpuMs();
  work();
  times.cpu.push_back(cpuMs() - before);
  times.wall.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

Measured measure(int rounds, const std::function<void(int)>& edit) {
  Measured measured;
  for (int i = 0; i < rounds; ++i) {
    timed(measured.edit, [&] { edit(i); });
    timed(measured.paint, [] {
      QApplication::sendPostedEvents();
      QApplication::processEvents();
    });
  }
  return measured;
}

QString summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  return QStringLiteral("%1 (%2 to %3)")
      .arg(at(0.5), 6, 'f', 2)
      .arg(at(0.1), 5, 'f', 2)
      .arg(at(0.9), 5, 'f', 2);
}

void report(const char* name, const Measured& measured) {
  QTextStream(stdout) << QStringLiteral("%1 n %2  edit: wall %3 cpu %4  painting: wall %5 cpu %6\n")
                             .arg(QLatin1String(name), -31)
                             .arg(measured.edit.wall.size())
                             .arg(summary(measured.edit.wall), summary(measured.edit.cpu),
                                  summary(measured.paint.wall), summary(measured.paint.cpu));
}

}  // namespace

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  const int lines = argc > 1 ? std::atoi(argv[1]) : 10'000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 101;
  const FieldPath name{"spec", "cluster", "spec", "name"};
  const FieldPath variables{"spec", "cluster", "spec", "worker", "config", "env"};

  DesignerPage page;
  page.resize(1400, 900);
  page.setDocument(QString(), largeTrainYaml(lines));
  page.show();
  QApplication::processEvents();
  EditableCluster& cluster = *page.cluster();
  QTextStream(stdout) << lines << " lines, " << cluster.text().size() << " bytes, "
                      << cluster.document().issues().size() << " issues\n";

  const auto set = [&](const FieldPath& path, const QString& value) {
    if (const auto done = cluster.setScalar(path, value, false, QStringLiteral("set")); !done)
      qFatal("%s", describe(done.error()).c_str());
    cluster.document();
  };
  const auto value = [](int i) { return QStringLiteral("night %1").arg(i); };
  report("a field of the form", measure(rounds, [&](int i) { set(name, value(i)); }));
  report("a variable near the end",
         measure(rounds, [&](int i) { set(variables.child(std::size_t{500}).child("value"), value(i)); }));
  report("a variable more, and undone", measure(rounds, [&](int i) {
           if (i % 2 == 1) {
             cluster.undoStack()->undo();
           } else if (!cluster.edit(QStringLiteral("add"), {}, {[&](const ClusterDocument& document) {
                                      return document.appendEnv(variables, {"ADDED", "1"});
                                    }})) {
             qFatal("cannot append");
           }
           cluster.document();
         }));
  page.editor()->goTo(lines / 2, 12);
  report("a letter typed into the pane",
         measure(rounds, [&](int) { page.editor()->textCursor().insertText(QStringLiteral("x")); }));
  report("a letter typed, and everything", measure(rounds, [&](int) {
           page.editor()->textCursor().insertText(QStringLiteral("x"));
           cluster.document();
         }));
  return 0;
}
