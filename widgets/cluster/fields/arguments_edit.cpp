// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/arguments_edit.h"

#include <sstream>

namespace lockstep {
namespace {

using Step = EditableCluster::Step;

std::vector<std::string> elementsAt(const ClusterDocument& document, const FieldPath& path,
                                    std::size_t length) {
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < length; ++i) {
    const auto scalar = document.scalar(path.child(i));
    elements.push_back(scalar ? scalar->value : std::string());
  }
  return elements;
}

std::string joined(const std::vector<std::string>& parts, std::size_t from, std::size_t to) {
  std::string line;
  for (std::size_t i = from; i < to; ++i) line += (i == from ? "" : " ") + parts[i];
  return line;
}

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(' ');
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

Step setElement(const FieldPath& path, std::size_t index, const std::string& value) {
  return [path, index, value](const ClusterDocument& document) {
    return document.setScalar(path.child(index), value);
  };
}

/// Elements [head, tail) give way to `middle`, which is not empty and has no blanks at its ends.
std::vector<Step> replaceElements(const FieldPath& path, const std::vector<std::string>& elements,
                                  std::size_t head, std::size_t tail, const std::string& middle) {
  std::vector<Step> steps;
  const auto parts = words(middle);
  const std::size_t count = tail - head;
  if (count == 0) {
    // Joining the list with blanks makes "a b" the same as "a", "b": a neighbor takes the new words.
    const bool hasPrevious = head > 0;
    const std::size_t neighbor = hasPrevious ? head - 1 : head;
    const std::string& old = elements[neighbor];
    steps.push_back(setElement(path, neighbor, hasPrevious ? old + " " + middle : middle + " " + old));
  } else if (parts.size() == count) {
    for (std::size_t i = 0; i < count; ++i)
      if (elements[head + i] != parts[i]) steps.push_back(setElement(path, head + i, parts[i]));
  } else {
    steps.push_back(setElement(path, head, middle));
    for (std::size_t i = tail; i > head + 1; --i)
      steps.push_back(
          [path, i](const ClusterDocument& document) { return document.remove(path.child(i - 1)); });
  }
  return steps;
}

std::vector<Step> stepsForList(const FieldPath& path, const std::vector<std::string>& elements,
                               const std::string& line) {
  std::size_t head = 0;
  std::size_t used = 0;  // bytes of `line` that the untouched head and its blanks take
  while (head < elements.size()) {
    const std::string& next = elements[head];
    if (line.compare(used, next.size(), next) != 0) break;
    const std::size_t end = used + next.size();
    if (end < line.size() && line[end] != ' ') break;
    used = std::min(end + 1, line.size());
    ++head;
  }
  std::size_t tail = elements.size();
  std::string rest = line.substr(used);
  while (tail > head) {
    const std::string& last = elements[tail - 1];
    if (rest.size() < last.size() || rest.compare(rest.size() - last.size(), last.size(), last) != 0) break;
    const std::size_t begin = rest.size() - last.size();
    if (begin > 0 && rest[begin - 1] != ' ') break;
    rest.resize(begin > 0 ? begin - 1 : 0);
    --tail;
  }
  const std::string middle = trimmed(rest);
  if (!middle.empty()) return replaceElements(path, elements, head, tail, middle);
  std::vector<Step> steps;
  for (std::size_t i = tail; i > head; --i)
    steps.push_back(
        [path, i](const ClusterDocument& document) { return document.remove(path.child(i - 1)); });
  return steps;
}

Step appendTo(const FieldPath& path, const std::string& value) {
  return [path, value](const ClusterDocument& document) { return document.appendItem(path, value); };
}

/// Where there is no list yet: the line becomes its only element, which the join gives back as it is.
std::vector<Step> stepsForNewList(const ClusterDocument& document, const FieldPath& path,
                                  const std::string& line) {
  std::vector<Step> steps;
  if (document.scalar(path))
    steps.push_back([path](const ClusterDocument& present) { return present.remove(path); });
  if (!line.empty()) steps.push_back(appendTo(path, line));
  return steps;
}

}  // namespace

std::optional<std::string> argumentsLine(const ClusterDocument& document, const FieldPath& path) {
  if (const auto length = document.lengthAt(path))
    return joined(elementsAt(document, path, *length), 0, *length);
  const auto scalar = document.scalar(path);
  return scalar ? std::optional(scalar->raw) : std::nullopt;
}

std::vector<Step> stepsToSetArguments(const ClusterDocument& document, const FieldPath& path,
                                      const std::string& line, ArgumentsForm form) {
  const Step remove = [path](const ClusterDocument& present) { return present.remove(path); };
  const Step setText = [path, line](const ClusterDocument& present) { return present.setScalar(path, line); };
  const auto length = document.lengthAt(path);
  if (!length && form == ArgumentsForm::List) return stepsForNewList(document, path, trimmed(line));
  if (!length) return {setText};
  const auto elements = elementsAt(document, path, *length);
  if (trimmed(line) == joined(elements, 0, elements.size())) return {};
  if (!elements.empty()) return stepsForList(path, elements, trimmed(line));
  if (form == ArgumentsForm::List) return {appendTo(path, trimmed(line))};
  return {remove, setText};
}

}  // namespace lockstep
