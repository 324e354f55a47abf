// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// What the fuzzers try, and a test replays over the kept inputs: each reader of bytes that somebody else wrote. Each
// returns what went against a promise of the code, or nothing. An input of several parts has a NUL between them,
// where nothing else is said.

/// Reads the input as a train.yaml: nodes, checks, values, plan.
[[nodiscard]] std::string tryReader(std::string_view input);

/// The input is a text and bytes that choose edits: sets, appends, removals, renames, fixes, typing.
/// Each is refused, or the text after it is YAML in which only that place changed, undoing it restores the
/// bytes, and the document made on the short way equals the one read afresh.
[[nodiscard]] std::string tryEditor(std::string_view input);

/// The input is a vocab.json, a merges.txt and a text; no vocab.json: one of all bytes and what the merges
/// make. The vocabulary is refused with cause and place, or the text's tokens are the text again, each time
/// the same ones, and the text has the same words when it is cut.
[[nodiscard]] std::string tryTokenizer(std::string_view input);

/// Reads the input as a heartbeat, as a list of muted findings, and its parts as findings of nodes: each is refused in words, or
/// within its bounds, and what is found wrong with them is said on one line each.
[[nodiscard]] std::string tryHealth(std::string_view input);

/// The input is a list of objects in a run's metrics folder: a name, a NUL, two bytes of length, a segment,
/// whose checksum is put right. Each is refused in words or the same when it is written again, and whoever
/// follows the run reads on, whatever is there.
[[nodiscard]] std::string tryMetrics(std::string_view input);

/// Reads the input as the head of a request, as a chunked body and as a URL: refused, or without what can be
/// read in two ways, and the same in whatever pieces it arrives.
[[nodiscard]] std::string tryHttp(std::string_view input);

/// The input is a failure.json and the service's words for it. The first is also read as a run of the run
/// store. There always is a sentence, and it is in proportion.
[[nodiscard]] std::string tryFailure(std::string_view input);

/// Reads the input as a query of the rehearsal region's log search, and runs it over a few lines.
[[nodiscard]] std::string tryLogQuery(std::string_view input);

/// The input is a query of metrics and the value of a dimension.
[[nodiscard]] std::string tryMql(std::string_view input);
/// Queries of resource search: parsed in bounds, or refused with words; what holds for a resource holds again.
[[nodiscard]] std::string trySearchQuery(std::string_view input);

/// The input is a search of runs as people type it, the name of a run, a value of it, and an argument with its values: refused
/// with a place within it, or the run is found by an index and alone alike, and not by the opposite.
[[nodiscard]] std::string tryRunQuery(std::string_view input);

/// Reads the input as a policy statement and as a matching rule, with the client's engine and the region's: refused
/// with a place inside the text, or the same statement when it is written again.
[[nodiscard]] std::string tryPolicy(std::string_view input);

/// The input as a terminal may have it: nothing that steers one, colours at most, and unchanged the second time.
[[nodiscard]] std::string tryTerminal(std::string_view input);

/// The input is a regular expression and a line of a log. The work for a line has a limit.
[[nodiscard]] std::string tryLogFilter(std::string_view input);

/// The input is a byte that says how, a byte that says in what pieces, and an event file of TensorBoard, or its events, each
/// behind two bytes of length, whose checksums are put right. It gives the same scalars in whatever pieces it comes.
[[nodiscard]] std::string tryEventFile(std::string_view input);

/// The input is an expression for metrics and what a process prints, with a NUL between them: read in the same way however it
/// arrives, as rows with sensible steps and each name once.
[[nodiscard]] std::string tryPrinted(std::string_view input);

/// The input is a byte that says how, and then places and values by which a right .lockstep file is altered, or what stands in
/// one: refused in words, or a run within its bounds, whose objects and lines come to an end.
[[nodiscard]] std::string tryRunFile(std::string_view input);

/// Reads the input as a table of another program: refused in words, or runs whose samples are counted right and have ranks and
/// steps within bounds.
[[nodiscard]] std::string tryTable(std::string_view input);

/// Reads the input as the layout of a dashboard: refused in words, or within its bounds and the same when it is written again.
[[nodiscard]] std::string tryLayout(std::string_view input);

/// The input is lines of a log: colours lie within the text that is left without them, folded lines are counted right, and
/// the first failure among them has words within bounds.
[[nodiscard]] std::string tryLogText(std::string_view input);

/// The input is a search as people type it, and the bytes of a file of lines, somebody's or one of ours: every line is
/// there, a search of all finds what asking each line finds, and a kept line is the same when it is written again.
[[nodiscard]] std::string tryLogStore(std::string_view input);

/// Reads the input as an OCI config file: refused with its line, or every profile has its own values.
[[nodiscard]] std::string tryOciConfig(std::string_view input);

/// Reads the input as a JPEG or PNG: refused in words, or whole, and so is what is made smaller of it.
[[nodiscard]] std::string tryPicture(std::string_view input);

/// The input is two bytes of length, so many of an idx file with labels, and one with images.
[[nodiscard]] std::string tryIdx(std::string_view input);

/// Reads the input as the pickled part of a file of torch.save: refused in words, or tensors whose extent is
/// counted or refused, and never more than the input can say.
[[nodiscard]] std::string tryTorchFile(std::string_view input);

/// The input is the head of a request for metrics, and what variables of OpenTelemetry say of headers and of an address to
/// listen at, each behind a NUL: answered with one answer of its own length, and no header brings another one.
[[nodiscard]] std::string tryScrape(std::string_view input);

/// The input is what nodes of a run tell each other through the work dir: the main node's file, a failure and
/// a list of addresses or a position in a training.
[[nodiscard]] std::string tryBoard(std::string_view input);

}  // namespace lockstep
