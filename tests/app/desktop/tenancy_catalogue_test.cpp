// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/tenancy_catalogue.h"

#include <QSignalSpy>
#include <QTest>

#include "app/desktop/designer/designer_resources.h"
#include "app/desktop/setup/tenancy_choices.h"
#include "base/time_text.h"
#include "launch/rehearsal_control.h"
#include "temp_dir.h"
#include "widgets/cluster/page/designer_page.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 60'000;
constexpr const char* kCompartment = "ocid1.compartment.oc1..aaaaaaaalockstep";
constexpr const char* kGroup = "ocid1.loggroup.oc1.rehearsal.aaaaaaaalockstep";

QStringList namesOf(const std::vector<ResourceChoice>& choices) {
  QStringList names;
  for (const ResourceChoice& choice : choices) names += choice.name;
  return names;
}

}  // namespace

class TenancyCatalogueTest : public QObject {
  Q_OBJECT
 private slots:
  void compartmentsAreSaidWithTheirWay() {
    oci::Tenancy tenancy;
    tenancy.id = "t";
    tenancy.name = "acme";
    const auto one = [](const char* id, const char* name, const char* parent) {
      oci::Compartment compartment;
      compartment.id = id;
      compartment.name = name;
      compartment.compartmentId = parent;
      return compartment;
    };
    const auto choices = compartmentChoices(
        tenancy, {one("c2", "training", "c1"), one("c1", "team", "t"), one("c3", "Alpha", "t"),
                  one("", "without an id", "t"), one("c4", "loop", "c4")});
    QCOMPARE(namesOf(choices).mid(0, 2), QStringList({"acme", "Alpha"}));
    QVERIFY(namesOf(choices).contains("team / training"));
    QCOMPARE(choices.front().value, QString("t"));
    QCOMPARE(choices.size(), std::size_t(5));
  }

  void subnetsSayTheirNetworkRangeAndReach() {
    oci::Vcn vcn;
    vcn.id = "v";
    vcn.displayName = "net";
    oci::Subnet closed, open;
    closed.id = "s1";
    closed.displayName = "b";
    closed.vcnId = "v";
    closed.cidrBlock = "10.0.1.0/24";
    closed.isPrivate = true;
    open.id = "s2";
    open.displayName = "a";
    open.vcnId = "other";
    const auto choices = subnetChoices({closed, open}, {vcn});
    QCOMPARE(namesOf(choices), QStringList({"a", "b"}));
    QCOMPARE(choices[1].details, QStringLiteral("net · 10.0.1.0/24 · private"));
    QCOMPARE(choices[0].details, QStringLiteral("public"));
  }

  void networksAndGroupsSayWhatTellsThemApart() {
    oci::Vcn vcn;
    vcn.id = "v";
    vcn.displayName = "net";
    vcn.cidrBlocks = {"10.0.0.0/16", "10.1.0.0/16"};
    QCOMPARE(vcnChoices({vcn}).at(0).details, QStringLiteral("10.0.0.0/16, 10.1.0.0/16"));
    oci::Group group;
    group.id = "ocid1.group.oc1..g";
    group.name = "trainers";
    QCOMPARE(groupChoices({group}).at(0).value, QStringLiteral("trainers"));
    oci::DynamicGroup runs;
    runs.name = "runs";
    runs.matchingRule = "ALL {resource.type = 'datasciencejobrun'}";
    QCOMPARE(dynamicGroupChoices({runs}).at(0).value, QStringLiteral("runs"));
    QVERIFY(dynamicGroupChoices({runs}).at(0).details.contains("datasciencejobrun"));
  }

  void logsOfServicesAreNoChoice() {
    oci::ServiceLog flow, jobs;
    flow.id = "l1";
    flow.displayName = "flow";
    flow.logType = "SERVICE";
    jobs.id = "l2";
    jobs.displayName = "jobs";
    jobs.logType = "CUSTOM";
    jobs.isEnabled = false;
    const auto choices = logChoices({flow, jobs});
    QCOMPARE(namesOf(choices), QStringList({"jobs"}));
    QCOMPARE(choices[0].details, QString("disabled"));
  }

  void bucketsAndImagesAreWhatTheFileSays() {
    oci::Bucket bucket, nameless;
    bucket.name = "b";
    bucket.nameSpace = nameless.nameSpace = "ns";
    const auto buckets = bucketChoices({bucket, nameless});
    QCOMPARE(buckets.size(), std::size_t(1));
    QCOMPARE(buckets[0].value, QString("oci://b@ns/"));
    oci::ContainerImage tagged, untagged;
    tagged.repositoryName = untagged.repositoryName = "team/ddp";
    tagged.version = "2";
    tagged.timeCreated = parseRfc3339("2026-01-31T10:00:00Z");
    untagged.displayName = "team/ddp:unknown@sha256:0";
    const auto choices = imageChoices({tagged, untagged}, "iad.ocir.io", "ns");
    QCOMPARE(choices.size(), std::size_t(1));
    QCOMPARE(choices[0].value, QString("iad.ocir.io/ns/team/ddp:2"));
    QCOMPARE(choices[0].details, QString("2026-01-31"));
  }

  void aFailureIsTheKindsNoteAndIsTriedAgain() {
    const TempDir home;
    TenancyCatalogue catalogue;
    QSignalSpy spy(&catalogue, &TenancyCatalogue::changed);
    const oci::ProfileQuery nowhere{(home.path() / "config").string(), "DEFAULT"};
    for (int round = 0; round < 2; ++round) {
      spy.clear();
      catalogue.want(ResourceKind::Project, nowhere, {});
      QCOMPARE(spy.size(), 1);
      QCOMPARE(stateOf(spy), ResourceChoices::State::Loading);
      QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 2, kTimeout);
      QCOMPARE(stateOf(spy), ResourceChoices::State::Failed);
      QVERIFY(spy.last().at(1).value<ResourceChoices>().problem.contains("config"));
    }
  }

  void theRehearsalTenancyIsListed() {
    startRegion();
    const std::pair<ResourceKind, const char*> expected[] = {
        {ResourceKind::Compartment, kCompartment},
        {ResourceKind::Project, "ocid1.datascienceproject.oc1.rehearsal.aaaaaaaalockstep"},
        {ResourceKind::Subnet, "ocid1.subnet.oc1.rehearsal.aaaaaaaalockstep"},
        {ResourceKind::Vcn, "ocid1.vcn.oc1.rehearsal.aaaaaaaalockstep"},
        {ResourceKind::Group, "lockstep-trainers"},
        {ResourceKind::DynamicGroup, "lockstep-job-runs"},
        {ResourceKind::LogGroup, kGroup},
        {ResourceKind::Log, "ocid1.log.oc1.rehearsal.aaaaaaaalockstep"},
        {ResourceKind::Bucket, "oci://lockstep@rehearsal/"},
        {ResourceKind::Image, "rehearsal.ocir.io/rehearsal/lockstep-trainer:1"}};
    for (const auto& [kind, value] : expected) {
      const auto found = listTenancy(query(), kind, {kCompartment, kGroup}, {});
      QVERIFY2(found, found ? "" : describe(found.error()).c_str());
      const bool isThere =
          std::any_of(found->begin(), found->end(), [wanted = QString(value)](const auto& choice) {
            return choice.value == wanted && !choice.name.isEmpty();
          });
      QVERIFY2(isThere, value);
    }
    QVERIFY(!listTenancy(query(), ResourceKind::Log, {kCompartment, ""}, {}));
    const auto ofNoVcn =
        listTenancy(query(), ResourceKind::Subnet, {kCompartment, "", "ocid1.vcn.oc1..x"}, {});
    QVERIFY(ofNoVcn && ofNoVcn->empty());
  }

  void aListIsFetchedOnceForEachPlace() {
    startRegion();
    TenancyCatalogue catalogue;
    QSignalSpy spy(&catalogue, &TenancyCatalogue::changed);
    catalogue.want(ResourceKind::Subnet, query(), {kCompartment, {}});
    catalogue.want(ResourceKind::Subnet, query(), {kCompartment, {}});  // on its way already
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 2, kTimeout);
    QCOMPARE(stateOf(spy), ResourceChoices::State::Ready);
    catalogue.want(ResourceKind::Subnet, query(), {kCompartment, {}});
    QCOMPARE(spy.size(), 3);
    QCOMPARE(stateOf(spy), ResourceChoices::State::Ready);
    catalogue.clear();
    catalogue.want(ResourceKind::Subnet, query(), {kCompartment, {}});
    QCOMPARE(stateOf(spy), ResourceChoices::State::Loading);
  }

  void thePageAsksAndGetsWhatItsDocumentNames() {
    startRegion();
    DesignerPage page;
    page.setDocument({},
                     std::string("spec: {infrastructure: {spec: {compartmentId: ") + kCompartment + "}}}\n");
    DesignerResources resources(&page);
    resources.setProfileSource([this] { return query(); });
    QSignalSpy spy(resources.findChild<TenancyCatalogue*>(), &TenancyCatalogue::changed);
    emit page.resourcesWanted(ResourceKind::Subnet);
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 2, kTimeout);
    QCOMPARE(spy.last().at(1).value<ResourceChoices>().choices.size(), std::size_t(1));
    resources.setProfileSource([] { return oci::ProfileQuery(); });
    emit page.resourcesWanted(ResourceKind::Subnet);
    QCOMPARE(spy.size(), 2);  // without a profile nobody is asked
  }

  void cleanupTestCase() {
    if (!region_) return;
    QVERIFY(stopRehearsal(regionOptions(), {}));
  }

 private:
  static ResourceChoices::State stateOf(const QSignalSpy& spy) {
    return spy.last().at(1).value<ResourceChoices>().state;
  }
  [[nodiscard]] oci::ProfileQuery query() const {
    return {(home_.path() / "oci_config").string(), "REHEARSAL"};
  }
  [[nodiscard]] RehearsalOptions regionOptions() const {
    RehearsalOptions options;
    options.stateDir = home_.path() / "rehearsal";
    options.configFile = query().configFile;
    options.program = LOCKSTEP_BIN_DIR "/lockstep-rehearsal";
    return options;
  }
  void startRegion() {
    if (region_) return;
    const auto started = startRehearsal(regionOptions(), {});
    QVERIFY2(started, started ? "" : describe(started.error()).c_str());
    region_ = true;
  }

  TempDir home_;
  bool region_ = false;
};

}  // namespace lockstep

QTEST_MAIN(lockstep::TenancyCatalogueTest)
#include "tenancy_catalogue_test.moc"
