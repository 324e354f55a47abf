// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/text/number_text.h"

#include <QLocale>
#include <QTest>
#include <cmath>

namespace lockstep {

class NumberTextTest : public QObject {
  Q_OBJECT

 private slots:
  void numbersAreForPeople() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QCOMPARE(countText(1234.4), QStringLiteral("1,234"));
    QCOMPARE(countText(3.27), QStringLiteral("3.3"));
    QCOMPARE(valueText(2.302585), QStringLiteral("2.303"));
    QCOMPARE(valueText(0.01234), QStringLiteral("0.0123"));
    QCOMPARE(valueText(0.000123), QStringLiteral("0.000123"));
    QCOMPARE(valueText(std::nan("")), QStringLiteral("–"));
    QCOMPARE(shortNumberText(2e10), QStringLiteral("20G"));
    QCOMPARE(shortNumberText(-1.5e6), QStringLiteral("-1.5M"));
    QCOMPARE(shortNumberText(999'999), QStringLiteral("999,999"));
    QCOMPARE(shortNumberText(0.25), QStringLiteral("0.25"));
    QCOMPARE(percentText(97.4), QStringLiteral("97 %"));
    QCOMPARE(bytesText(512e6), QStringLiteral("512 MB"));
    QCOMPARE(bytesText(1.24e9), QStringLiteral("1.2 GB"));
    QCOMPARE(bytesText(0), QStringLiteral("0 B"));
    using namespace std::chrono_literals;
    QCOMPARE(ageText(500ms), QStringLiteral("just now"));
    QCOMPARE(ageText(12s), QStringLiteral("12 s ago"));
    QCOMPARE(ageText(3h), QStringLiteral("3 h ago"));
    QCOMPARE(ageText(-5s), QStringLiteral("just now"));
    QCOMPARE(lagText(1400ms), QStringLiteral("1.4 s"));
    QCOMPARE(lagText(125s), QStringLiteral("2 min 5 s"));
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QCOMPARE(countText(1234.4), QStringLiteral("1.234"));
    QLocale::setDefault(QLocale::c());
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::NumberTextTest)
#include "number_text_test.moc"
