// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/health/health_words.h"

#include <QCoreApplication>
#include <QLocale>

#include "health/health_advice.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

struct HealthWords {
  Q_DECLARE_TR_FUNCTIONS(HealthWords)
};

/// The contexts under which the texts of core are filed.
struct HealthTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::HealthTexts)
};
struct RankPhaseTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::RankPhaseTexts)
};

/// A clause of core as a sentence of the user's language; empty for none. Qt takes an empty text for the question after
/// the head of the translations.
QString sentence(const char* clause) {
  return *clause == '\0' ? QString() : asSentence(toStdString(HealthTexts::tr(clause))) + QLatin1Char('.');
}

QString whoText(const RankHeartbeat& beat) {
  const QString rank = HealthWords::tr("Rank %1").arg(beat.rank.value);
  if (beat.host.empty()) return rank;
  const QString host = toQString(beat.host);
  return beat.pid > 0 ? HealthWords::tr("%1 (host %2, process %3)").arg(rank, host).arg(beat.pid)
                      : HealthWords::tr("%1 (host %2)").arg(rank, host);
}

}  // namespace

QString phaseText(const RankHeartbeat& beat) {
  return beat.phase == RankPhase::Other ? toQString(beat.word) : RankPhaseTexts::tr(toString(beat.phase));
}

QString nodeText(const ReachNode& node) {
  return node.name.empty() ? HealthWords::tr("node %1").arg(node.node) : toShownLine(node.name);
}

HealthNotice noticeOf(const Stall& stall) {
  const QString who = whoText(stall.beat);
  const HealthAdvice advice = adviceFor(stall);
  HealthNotice notice{{}, sentence(advice.cause), sentence(advice.remedy)};
  switch (stall.kind) {
    case Stall::Kind::NoHeartbeat:
      notice.what = HealthWords::tr("%1 sends no heartbeat").arg(who);
      return notice;
    case Stall::Kind::NobodyBehind:
      notice.what = HealthWords::tr("All ranks are in collective %1, none is behind, and it does not end")
                        .arg(stall.collective);
      return notice;
    case Stall::Kind::RankBehind:
      break;
  }
  const QString where = stall.beat.step < 0
                            ? phaseText(stall.beat)
                            : HealthWords::tr("%1, step %2").arg(phaseText(stall.beat)).arg(stall.beat.step);
  notice.what = HealthWords::tr("%1 keeps %Ln rank(s) waiting in collective %2: %3", nullptr, stall.waiting)
                    .arg(who)
                    .arg(stall.collective)
                    .arg(where);
  return notice;
}

HealthNotice noticeOf(const ReachMatrix& matrix, const ReachMatrix::Gap& gap) {
  const QString from = nodeText(matrix.nodes()[gap.from]);
  const QString to = nodeText(matrix.nodes()[gap.to]);
  const ReachLink& link = gap.link;
  const HealthAdvice advice = adviceFor(gap.state);
  HealthNotice notice;
  notice.what = HealthWords::tr("%1 cannot reach %2").arg(from, to);
  if (!link.address.empty())
    notice.what = HealthWords::tr("%1 cannot reach %2 at %3, port %4")
                      .arg(from, to, toQString(link.address))
                      .arg(link.port);
  notice.cause = asSentence(link.cause);
  const QString beside = sentence(advice.cause);
  if (!notice.cause.isEmpty() && !beside.isEmpty()) notice.cause += QStringLiteral(". ");
  if (!beside.isEmpty()) notice.cause += beside.arg(to, from);
  // A text without places for names would be complained about.
  notice.remedy = sentence(advice.remedy);
  if (notice.remedy.contains(QLatin1String("%1"))) notice.remedy = notice.remedy.arg(to, from);
  return notice;
}

QString plainText(const HealthNotice& notice) {
  QStringList lines{notice.what, notice.cause, notice.remedy};
  lines.removeAll(QString());
  return lines.join(QLatin1Char('\n'));
}

QString linkText(LinkState state, const ReachLink* link) {
  const QString ms = link != nullptr && link->ms
                         ? HealthWords::tr("%1 ms").arg(QLocale().toString(*link->ms, 'f', 1))
                         : QString();
  const auto timed = [&ms](const QString& text) {
    return ms.isEmpty() ? text : HealthWords::tr("%1, %2").arg(text, ms);
  };
  switch (state) {
    case LinkState::BothWays:
      return timed(HealthWords::tr("both ways"));
    case LinkState::OnlyThisWay:
      return HealthWords::tr("only this way");
    case LinkState::OnlyBack:
      return HealthWords::tr("not this way");
    case LinkState::NeitherWay:
      return HealthWords::tr("neither way");
    case LinkState::ThisWay:
      return timed(HealthWords::tr("this way"));
    case LinkState::NotThisWay:
      return HealthWords::tr("not this way");
    case LinkState::Untested:
      break;
  }
  return HealthWords::tr("not tested");
}

BadgeTone toneOf(LinkState state) {
  switch (state) {
    case LinkState::BothWays:
    case LinkState::ThisWay:
      return BadgeTone::Ok;
    case LinkState::OnlyThisWay:
      return BadgeTone::Warning;
    case LinkState::OnlyBack:
    case LinkState::NeitherWay:
    case LinkState::NotThisWay:
      return BadgeTone::Error;
    case LinkState::Untested:
      break;
  }
  return BadgeTone::Neutral;
}

}  // namespace lockstep
