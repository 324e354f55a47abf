// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/html_text.h"

#include "base/text/terminal_text.h"

namespace lockstep {

std::string escapedHtml(std::string_view text) {
  std::string html;
  for (const char c : forTerminal(text)) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

}  // namespace lockstep
