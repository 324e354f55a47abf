// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state/resources.h"

#include <charconv>

#include "base/text/encoding.h"
#include "base/time_text.h"
#include "rehearsal/state/summaries.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kColumns =
    "id, kind, compartment, parent, name, state, etag, created, body, hidden, seq";

Resource readRow(SQLite::Statement& row) {
  Resource r;
  r.id = row.getColumn(0).getString();
  r.kind = row.getColumn(1).getString();
  r.compartment = row.getColumn(2).getString();
  r.parent = row.getColumn(3).getString();
  r.name = row.getColumn(4).getString();
  r.state = row.getColumn(5).getString();
  r.etag = row.getColumn(6).getString();
  r.created = row.getColumn(7).getInt64();
  r.body = nlohmann::json::parse(row.getColumn(8).getString());
  r.hidden = nlohmann::json::parse(row.getColumn(9).getString());
  r.seq = row.getColumn(10).getInt64();
  return r;
}

std::string dump(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The page token holds the sort key and the row number of the last item shown.
struct Position {
  std::string key;
  long long seq = 0;
};

std::optional<long long> toNumber(const std::string& text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Position> readPosition(const std::string& token, bool byName) {
  const auto parts = decodePage(token);
  if (!parts || parts->size() != 2) return std::nullopt;
  const auto seq = toNumber((*parts)[1]);
  if (!seq || (!byName && !toNumber((*parts)[0]))) return std::nullopt;
  return Position{(*parts)[0], *seq};
}

struct Condition {
  std::string text;
  std::vector<std::string> values;
};

Condition conditionsOf(const ListQuery& query) {
  Condition c{"kind = ?", {query.kind}};
  const auto add = [&c](const std::optional<std::string>& value, const char* text) {
    if (!value) return;
    c.text += text;
    c.values.push_back(*value);
  };
  add(query.compartment, " AND compartment = ?");
  add(query.parent, " AND parent = ?");
  add(query.id, " AND id = ?");
  add(query.name, " AND name = ?");
  add(query.state, " AND state = ? COLLATE NOCASE");
  add(query.createdBy, " AND json_extract(body, '$.createdBy') = ?");
  return c;
}

// What the decisions about access are made from.
void noteChange(Transaction& transaction, const std::string& id) {
  for (const char* kind :
       {"tenancy.", "compartment.", "user.", "group.", "groupmembership.", "dynamicgroup.", "policy."})
    if (id.size() > 6 && id.compare(6, std::char_traits<char>::length(kind), kind) == 0)
      transaction.forgetDerived();
}

}  // namespace

void insertResource(Transaction& transaction, const Resource& r) {
  auto& insert = transaction.sql(
      "INSERT INTO resources(id, kind, compartment, parent, name, state, created, etag, body, hidden) "
      "VALUES(?,?,?,?,?,?,?,?,?,?)");
  int i = 0;
  for (const std::string* text : {&r.id, &r.kind, &r.compartment, &r.parent, &r.name, &r.state})
    insert.bind(++i, *text);
  insert.bind(++i, static_cast<int64_t>(r.created));
  insert.bind(++i, r.etag);
  insert.bind(++i, dump(r.body));
  insert.bind(++i, dump(r.hidden));
  insert.exec();
  saveSummary(transaction, r);
  noteChange(transaction, r.id);
}

std::string updateResource(Transaction& transaction, const Resource& r) {
  const std::string etag = makeUuid();
  auto& update = transaction.sql(
      "UPDATE resources SET compartment = ?, name = ?, state = ?, etag = ?, body = ?, hidden = ? WHERE id = "
      "?");
  update.bind(1, r.compartment);
  update.bind(2, r.name);
  update.bind(3, r.state);
  update.bind(4, etag);
  update.bind(5, dump(r.body));
  update.bind(6, dump(r.hidden));
  update.bind(7, r.id);
  update.exec();
  saveSummary(transaction, r);
  noteChange(transaction, r.id);
  return etag;
}

void removeResource(Transaction& transaction, const std::string& id) {
  auto& remove = transaction.sql("DELETE FROM resources WHERE id = ?");
  remove.bind(1, id);
  remove.exec();
  noteChange(transaction, id);
}

std::optional<Resource> findResource(Transaction& transaction, const std::string& kind,
                                     const std::string& id) {
  auto& select =
      transaction.sql(std::string("SELECT ") + kColumns + " FROM resources WHERE id = ? AND kind = ?");
  select.bind(1, id);
  select.bind(2, kind);
  if (!select.executeStep()) return std::nullopt;
  return readRow(select);
}

namespace {

// One page of the list, and one row more where there are more.
tl::expected<SQLite::Statement*, ServiceError> selectPage(Transaction& transaction, const ListQuery& query,
                                                          const std::string& columns) {
  Condition where = conditionsOf(query);
  const std::string key = query.byName ? "name" : "created";
  const std::string direction = query.descending ? " DESC" : " ASC";
  if (!query.page.empty())
    where.text += " AND (" + key + ", seq) " + (query.descending ? "<" : ">") + " (?, ?)";
  auto& select = transaction.sql("SELECT " + columns + " FROM resources WHERE " + where.text + " ORDER BY " +
                                 key + direction + ", seq" + direction + " LIMIT ?");
  int i = 0;
  for (const std::string& value : where.values) select.bind(++i, value);
  if (!query.page.empty()) {
    const auto position = readPosition(query.page, query.byName);
    if (!position) return invalidParameter("The parameter 'page' is not a page token of this list.");
    if (query.byName) {
      select.bind(++i, position->key);
    } else {
      select.bind(++i, static_cast<int64_t>(*toNumber(position->key)));
    }
    select.bind(++i, static_cast<int64_t>(position->seq));
  }
  select.bind(++i, query.limit + 1);
  return &select;
}

template <class Item>
std::string cutPage(std::vector<Item>& items, const ListQuery& query) {
  if (static_cast<int>(items.size()) <= query.limit) return {};
  items.pop_back();
  const Item& last = items.back();
  return encodePage({query.byName ? last.name : std::to_string(last.created), std::to_string(last.seq)});
}

}  // namespace

tl::expected<ResourcePage, ServiceError> listResources(Transaction& transaction, const ListQuery& query) {
  const auto select = selectPage(transaction, query, kColumns);
  if (!select) return tl::unexpected(select.error());
  ResourcePage page;
  while ((*select)->executeStep()) page.items.push_back(readRow(**select));
  page.nextPage = cutPage(page.items, query);
  return page;
}

tl::expected<SummaryPage, ServiceError> listSummaries(Transaction& transaction, const ListQuery& query) {
  const auto select =
      selectPage(transaction, query,
                 "id, name, created, seq, (SELECT text FROM summaries WHERE summaries.id = resources.id)");
  if (!select) return tl::unexpected(select.error());
  SummaryPage page;
  while ((*select)->executeStep()) {
    SQLite::Statement& row = **select;
    page.items.push_back({row.getColumn(0).getString(), row.getColumn(1).getString(),
                          row.getColumn(2).getInt64(), row.getColumn(3).getInt64(),
                          row.getColumn(4).getString()});
  }
  page.nextPage = cutPage(page.items, query);
  for (Summary& one : page.items)  // of a former version of the region
    if (const auto whole = one.text.empty() ? findResource(transaction, query.kind, one.id) : std::nullopt)
      one.text = summaryOf(*whole);
  return page;
}

std::vector<Resource> resourcesInState(Transaction& transaction, const std::string& kind,
                                       const std::string& state) {
  auto& select = transaction.sql(std::string("SELECT ") + kColumns +
                                 " FROM resources WHERE kind = ? AND state = ? ORDER BY seq");
  select.bind(1, kind);
  select.bind(2, state);
  std::vector<Resource> found;
  while (select.executeStep()) found.push_back(readRow(select));
  return found;
}

std::string makeOcid(const std::string& kind) {
  return "ocid1." + kind + ".oc1.rehearsal.aaaaaaaa" + toHex(randomBytes(26));
}

std::string makeUuid() {
  std::string bytes = randomBytes(16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
  const std::string hex = toHex(bytes);
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" +
         hex.substr(20);
}

long long toMillis(TimePoint time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

std::string timeText(long long millis) {
  return toRfc3339(TimePoint{std::chrono::milliseconds(millis)});
}

std::string httpDate(long long millis) {
  return toRfc1123(TimePoint{std::chrono::milliseconds(millis)});
}

std::string encodePage(const std::vector<std::string>& parts) {
  return toBase64Url(nlohmann::json(parts).dump());
}

std::optional<std::vector<std::string>> decodePage(const std::string& token) {
  const auto text = fromBase64Url(token);
  if (!text) return std::nullopt;
  const nlohmann::json parts = nlohmann::json::parse(*text, nullptr, false);
  if (!parts.is_array()) return std::nullopt;
  std::vector<std::string> values;
  for (const auto& part : parts) {
    if (!part.is_string()) return std::nullopt;
    values.push_back(part.get<std::string>());
  }
  return values;
}

}  // namespace lockstep::rehearsal
