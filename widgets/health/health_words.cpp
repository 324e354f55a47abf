// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/health/health_words.h"

#include <QCoreApplication>
#include <QLocale>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

struct HealthWords {
  Q_DECLARE_TR_FUNCTIONS(HealthWords)
};

HealthNotice adviceFor(RankPhase phase) {
  switch (phase) {
    case RankPhase::LoadingData:
    case RankPhase::Data:
      return {{},
              HealthWords::tr("Its data come slowly or not at all."),
              HealthWords::tr("Look at the disk or bucket that it reads from, and try more --workers.")};
    case RankPhase::HostToDevice:
    case RankPhase::Forward:
    case RankPhase::Backward:
    case RankPhase::Optimizer:
    case RankPhase::Evaluating:
      return {
          {},
          HealthWords::tr("It computes more slowly than the others, or its process is stopped."),
          HealthWords::tr("Look at the process on its host: whether it runs, and what else uses its cores or "
                          "its GPU.")};
    case RankPhase::Waiting:
      return {
          {},
          HealthWords::tr("It is still in an earlier collective: its process is stopped, or its network is."),
          HealthWords::tr("Look at the process on its host, and at the network between the nodes.")};
    case RankPhase::Saving:
      return {{},
              HealthWords::tr("It writes a checkpoint to a slow place."),
              HealthWords::tr("Look at the disk or bucket of --checkpoint-dir, or save less often.")};
    default:
      return {{}, HealthWords::tr("It is not ready to train yet."), HealthWords::tr("Look at its log.")};
  }
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
  switch (beat.phase) {
    case RankPhase::Starting:
      return HealthWords::tr("starting");
    case RankPhase::Joining:
      return HealthWords::tr("joining");
    case RankPhase::LoadingData:
      return HealthWords::tr("loading data");
    case RankPhase::Preparing:
      return HealthWords::tr("building the network");
    case RankPhase::Data:
      return HealthWords::tr("data");
    case RankPhase::HostToDevice:
      return HealthWords::tr("host to device");
    case RankPhase::Forward:
      return HealthWords::tr("forward");
    case RankPhase::Backward:
      return HealthWords::tr("backward");
    case RankPhase::Waiting:
      return HealthWords::tr("waiting in a collective");
    case RankPhase::Optimizer:
      return HealthWords::tr("optimizer");
    case RankPhase::Evaluating:
      return HealthWords::tr("evaluation");
    case RankPhase::Saving:
      return HealthWords::tr("saving");
    case RankPhase::Ending:
      return HealthWords::tr("ending");
    case RankPhase::Other:
      break;
  }
  return toQString(beat.word);
}

QString lastingWords(std::chrono::nanoseconds lasting) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(lasting).count();
  if (seconds < 60) return HealthWords::tr("%1 s").arg(seconds);
  if (seconds < 3600) return HealthWords::tr("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
  return HealthWords::tr("%1 h %2 min").arg(seconds / 3600).arg(seconds / 60 % 60);
}

QString nodeText(const ReachNode& node) {
  return node.name.empty() ? HealthWords::tr("node %1").arg(node.node) : toShownLine(node.name);
}

HealthNotice noticeOf(const Stall& stall) {
  const QString who = whoText(stall.beat);
  switch (stall.kind) {
    case Stall::Kind::NoHeartbeat:
      return {HealthWords::tr("%1 sends no heartbeat").arg(who),
              HealthWords::tr("Its process is stopped, or its node does not reach the work dir."),
              HealthWords::tr("Look at its log and at its node; nothing newer is known of the other ranks.")};
    case Stall::Kind::NobodyBehind:
      return {
          HealthWords::tr("All ranks are in collective %1, and it does not end").arg(stall.collective),
          HealthWords::tr("None is behind: what they send does not get through."),
          HealthWords::tr("Look at the network between the nodes: allow TCP on all ports, and the same MTU "
                          "everywhere.")};
    case Stall::Kind::RankBehind:
      break;
  }
  HealthNotice notice = adviceFor(stall.beat.phase);
  const QString where = stall.beat.step < 0
                            ? phaseText(stall.beat)
                            : HealthWords::tr("%1, step %2").arg(phaseText(stall.beat)).arg(stall.beat.step);
  notice.what = HealthWords::tr("%1 keeps %n rank(s) waiting in collective %2: %3", nullptr, stall.waiting)
                    .arg(who)
                    .arg(stall.collective)
                    .arg(where);
  return notice;
}

HealthNotice noticeOf(const ReachMatrix& matrix, const ReachMatrix::Gap& gap) {
  const QString from = nodeText(matrix.nodes()[gap.from]);
  const QString to = nodeText(matrix.nodes()[gap.to]);
  const ReachLink& link = gap.link;
  HealthNotice notice;
  notice.what = HealthWords::tr("%1 cannot reach %2").arg(from, to);
  if (!link.address.empty())
    notice.what = HealthWords::tr("%1 cannot reach %2 at %3, port %4")
                      .arg(from, to, toQString(link.address))
                      .arg(link.port);
  notice.cause = asSentence(link.cause);
  if (gap.state != LinkState::OnlyBack) {
    notice.remedy =
        HealthWords::tr("Allow TCP between the nodes on all ports (security list or NSG of the subnet).");
    return notice;
  }
  if (!notice.cause.isEmpty()) notice.cause += QStringLiteral(". ");
  notice.cause += HealthWords::tr("%1 does reach %2, so one direction is closed.").arg(to, from);
  notice.remedy =
      HealthWords::tr("Allow TCP into %1 and out of %2 on all ports (security list or NSG of the subnet).")
          .arg(to, from);
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
