// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/html_text.h"

#include <fmt/format.h>

#include "base/text/terminal_text.h"

namespace lockstep {
namespace {

// Follows the reader's own choice of light or dark; loads nothing.
constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--good:#1a7f37;--warn:#9a6700;--bad:#c0362c;--dim:#667;--curve:#1f6feb}
@media (prefers-color-scheme:dark){:root{--good:#57c26c;--warn:#d6a03a;--bad:#ff7b72;--dim:#99a;--curve:#6cb2ff}}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1.1rem;margin:1.6rem 0 .4rem} ul{margin:.2rem 0;padding-left:1.2rem}
.dim{color:var(--dim);font-size:.85rem} .ready{color:var(--good)} .warning{color:var(--warn)}
.blocked{color:var(--bad)} table{border-collapse:collapse;margin:.6rem 0}
th,td{border:1px solid color-mix(in srgb,currentColor 25%,transparent);padding:.2rem .6rem;text-align:left}
pre{overflow-x:auto;white-space:pre-wrap}
figure{margin:0} figcaption{font-weight:600} svg{width:100%;height:auto}
.curves{display:grid;grid-template-columns:repeat(auto-fit,minmax(24rem,1fr));gap:1rem 1.5rem}
.line{fill:none;stroke:var(--curve);stroke-width:1.5;stroke-linejoin:round} .dot{fill:var(--curve)}
.band{fill:var(--curve);opacity:.18} .grid{stroke:currentColor;opacity:.15}
.tick{font-size:11px;fill:currentColor;opacity:.75}
)";

}  // namespace

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

std::string htmlPage(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n{}</body>\n</html>\n",
      escapedHtml(title), kStyle, body);
}

}  // namespace lockstep
