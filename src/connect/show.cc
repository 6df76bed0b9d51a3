#include "connect/show.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "type/display_text.h"

namespace weir::connect {
namespace {

constexpr size_t kLeastWidth = 3;

/// Byte offset behind the first `units` UTF-16 units, or npos if the text is not longer.
size_t Behind(std::string_view text, size_t units) {
  size_t seen = 0;
  for (size_t at = 0; at < text.size();) {
    if (seen >= units) return at;
    const auto [character, size] = DecodeUtf8(text, at);
    seen += character > 0xFFFF ? 2 : 1;
    at += std::max<size_t>(size, 1);
  }
  return std::string_view::npos;
}

void Truncate(std::string& cell, int64_t most) {
  if (most <= 0) return;
  const auto longest = static_cast<size_t>(most);
  if (Behind(cell, longest) == std::string_view::npos) return;
  constexpr size_t kDots = 3;
  if (longest <= kDots) {
    cell.resize(Behind(cell, longest));
  } else {
    cell.resize(Behind(cell, longest - kDots));
    cell += "...";
  }
}

void TruncateAll(std::vector<std::string>& names, std::vector<std::vector<std::string>>& cells,
                 int64_t most) {
  for (std::string& name : names) Truncate(name, most);
  for (auto& row : cells) {
    for (std::string& cell : row) Truncate(cell, most);
  }
}

std::string Padded(const std::string& cell, size_t width, bool left) {
  const std::string blanks(width - std::min(width, DisplayWidth(cell)), ' ');
  return left ? blanks + cell : cell + blanks;
}

std::string MoreText(bool has_more, int64_t rows) {
  return has_more ? fmt::format("only showing top {} {}", rows, rows == 1 ? "row" : "rows") : "";
}

std::string TableText(const std::vector<std::string>& names,
                      const std::vector<std::vector<std::string>>& cells, bool right_aligned) {
  std::vector<size_t> widths;
  for (const std::string& name : names) widths.push_back(std::max(kLeastWidth, DisplayWidth(name)));
  for (const auto& row : cells) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string rule = "+";
  for (size_t width : widths) rule += std::string(width, '-') + "+";
  rule += "\n";
  auto line = [&](const std::vector<std::string>& row) {
    std::string text = "|";
    for (size_t i = 0; i < row.size(); ++i) text += Padded(row[i], widths[i], right_aligned) + "|";
    return text + "\n";
  };
  std::string text = rule + line(names) + rule;
  for (const auto& row : cells) text += line(row);
  return text + rule;
}

std::string VerticalText(const std::vector<std::string>& names,
                         const std::vector<std::vector<std::string>>& cells) {
  size_t name_width = kLeastWidth, cell_width = kLeastWidth;
  for (const std::string& name : names) name_width = std::max(name_width, DisplayWidth(name));
  for (const auto& row : cells) {
    for (const std::string& cell : row) cell_width = std::max(cell_width, DisplayWidth(cell));
  }
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i) {
    std::string header = fmt::format("-RECORD {}", i);
    // Blanks and the bar between name and value.
    const size_t width = name_width + cell_width + 5;
    if (header.size() < width) header.append(width - header.size(), '-');
    text += header + "\n";
    for (size_t j = 0; j < names.size(); ++j) {
      text += fmt::format(" {} | {} \n", Padded(names[j], name_width, false),
                          Padded(cells[i][j], cell_width, false));
    }
  }
  return text;
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// The name that printSchema gives a type.
std::string TypeName(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt:
      return "integer";
    case TypeKind::kLong:
      return "long";
    case TypeKind::kShort:
      return "short";
    case TypeKind::kByte:
      return "byte";
    case TypeKind::kArray:
      return "array";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kStruct:
      return "struct";
    default:
      return type.ToString();
  }
}

void AddLines(std::string& text, const std::string& prefix, const std::string& name, const Type& type,
              std::string_view null_word, bool nullable, int levels) {
  text += fmt::format("{}-- {}: {}", prefix, name, TypeName(type));
  text += null_word.empty() ? "\n" : fmt::format(" ({} = {})\n", null_word, nullable);
  if (levels == 1) return;
  const std::string below = prefix + "    |";
  const int left = levels == 0 ? 0 : levels - 1;
  switch (type.kind()) {
    case TypeKind::kStruct:
      for (const Field& field : type.fields()) {
        AddLines(text, below, field.name, field.type, "nullable", !field.required, left);
      }
      break;
    case TypeKind::kArray:
      AddLines(text, below, "element", type.fields()[0].type, "containsNull", !type.fields()[0].required,
               left);
      break;
    case TypeKind::kMap:
      AddLines(text, below, "key", type.fields()[0].type, "", false, left);
      AddLines(text, below, "value", type.fields()[1].type, "valueContainsNull", !type.fields()[1].required,
               left);
      break;
    default:
      break;
  }
}

}  // namespace

std::string ShowText(std::vector<std::string> names, std::vector<std::vector<std::string>> cells,
                     bool has_more, const ShowOptions& options) {
  TruncateAll(names, cells, options.truncate);
  if (!options.vertical) {
    return TableText(names, cells, options.truncate > 0) + MoreText(has_more, options.rows);
  }
  if (cells.empty()) return "(0 rows)";
  return VerticalText(names, cells) + MoreText(has_more, options.rows);
}

std::string HtmlText(std::vector<std::string> names, std::vector<std::vector<std::string>> cells,
                     bool has_more, const ShowOptions& options) {
  TruncateAll(names, cells, options.truncate);
  std::string text = "<table border='1'>\n<tr>";
  for (const std::string& name : names) text += fmt::format("<th>{}</th>", Escaped(name));
  text += "</tr>\n";
  for (const auto& row : cells) {
    text += "<tr>";
    for (const std::string& cell : row) text += fmt::format("<td>{}</td>", Escaped(cell));
    text += "</tr>\n";
  }
  return text + "</table>\n" + MoreText(has_more, options.rows);
}

std::string TreeText(const std::vector<Field>& columns, int levels) {
  std::string text = "root\n";
  for (const Field& column : columns) {
    AddLines(text, " |", column.name, column.type, "nullable", !column.required, levels);
  }
  return text;
}

}  // namespace weir::connect
