// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/tenancy_catalogue.h"

#include <QSignalSpy>
#include <QTest>

#include "app/desktop/designer_resources.h"
#include "app/desktop/tenancy_choices.h"
#include "launch/rehearsal_control.h"
#include "temp_dir.h"
#include "widgets/cluster/designer_page.h"

namespace lockstep {
namespace {

using nlohmann::json;
constexpr int kPatience = 60'000;
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
    const json tenancy{{"id", "t"}, {"name", "acme"}};
    const JsonList all{{{"id", "c2"}, {"name", "training"}, {"compartmentId", "c1"}},
                       {{"id", "c1"}, {"name", "team"}, {"compartmentId", "t"}},
                       {{"id", "c3"}, {"name", "Alpha"}, {"compartmentId", "t"}},
                       {{"name", "without an id"}},
                       {{"id", "c4"}, {"name", "loop"}, {"compartmentId", "c4"}}};
    const auto choices = compartmentChoices(tenancy, all);
    QCOMPARE(namesOf(choices).mid(0, 2), QStringList({"acme", "Alpha"}));
    QVERIFY(namesOf(choices).contains("team / training"));
    QCOMPARE(choices.front().value, QString("t"));
    QCOMPARE(choices.size(), std::size_t(5));
  }

  void subnetsSayTheirNetworkRangeAndReach() {
    const JsonList vcns{{{"id", "v"}, {"displayName", "net"}}};
    const JsonList subnets{{{"id", "s1"},
                            {"displayName", "b"},
                            {"vcnId", "v"},
                            {"cidrBlock", "10.0.1.0/24"},
                            {"prohibitPublicIpOnVnic", true}},
                           {{"id", "s2"}, {"displayName", "a"}, {"vcnId", "other"}}};
    const auto choices = subnetChoices(subnets, vcns);
    QCOMPARE(namesOf(choices), QStringList({"a", "b"}));
    QCOMPARE(choices[1].details, QStringLiteral("net · 10.0.1.0/24 · private"));
    QCOMPARE(choices[0].details, QStringLiteral("public"));
  }

  void logsOfServicesAreNoChoice() {
    const JsonList logs{{{"id", "l1"}, {"displayName", "flow"}, {"logType", "SERVICE"}},
                        {{"id", "l2"}, {"displayName", "jobs"}, {"logType", "CUSTOM"}, {"isEnabled", false}}};
    const auto choices = logChoices(logs);
    QCOMPARE(namesOf(choices), QStringList({"jobs"}));
    QCOMPARE(choices[0].details, QString("disabled"));
  }

  void bucketsAndImagesAreWhatTheFileSays() {
    const auto buckets = bucketChoices({{{"name", "b"}, {"namespace", "ns"}}, {{"namespace", "ns"}}});
    QCOMPARE(buckets.size(), std::size_t(1));
    QCOMPARE(buckets[0].value, QString("oci://b@ns/"));
    const JsonList images{
        {{"repositoryName", "team/ddp"}, {"version", "2"}, {"timeCreated", "2026-01-31T10:00:00Z"}},
        {{"repositoryName", "team/ddp"}, {"displayName", "team/ddp:unknown@sha256:0"}}};
    const auto choices = imageChoices(images, "iad.ocir.io", "ns");
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
      QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 2, kPatience);
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
  }

  void aListIsFetchedOnceForEachPlace() {
    startRegion();
    TenancyCatalogue catalogue;
    QSignalSpy spy(&catalogue, &TenancyCatalogue::changed);
    catalogue.want(ResourceKind::Subnet, query(), {kCompartment, {}});
    catalogue.want(ResourceKind::Subnet, query(), {kCompartment, {}});  // on its way already
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 2, kPatience);
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
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 2, kPatience);
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
