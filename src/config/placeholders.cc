#include "placeholders.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "shown.h"
#include "source_text.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

constexpr std::string_view kFilePrefix = "file:";
constexpr std::string_view kCredentialPrefix = "credential:";
constexpr std::size_t kPlaceholderFileBytesMax = 65536;

// Windows has names like ProgramFiles(x86).
bool is_variable_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (base::ascii_lower(c) >= 'a' && base::ascii_lower(c) <= 'z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '(' || c == ')';
  });
}

// systemd allows what a file may be called; a path in it would lead out of the two folders.
bool is_credential_name(std::string_view name) {
  return !name.empty() && name.find_first_of("/\\:") == std::string_view::npos && name != "." &&
         name != "..";
}

std::optional<std::string> file_contents(const std::filesystem::path& path,
                                         std::string_view placeholder, std::string& fault) {
  std::error_code failed;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, failed)) {
    fault = "cannot read the file of " + in_quotes(placeholder) + ", " + in_quotes(utf8_of(path)) +
            "; check that it is there and may be read";
    return std::nullopt;
  }
  std::string bytes(kPlaceholderFileBytesMax + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (bytes.size() > kPlaceholderFileBytesMax) {
    fault = in_quotes(utf8_of(path)) + " is larger than 64 KiB; name a file that holds one value";
    return std::nullopt;
  }
  // PowerShell's `echo key > file` writes UTF-16.
  std::string_view text;
  if (const auto wrong = take_utf8(bytes, text)) {
    fault = "in " + in_quotes(utf8_of(path)) + " at line " + std::to_string(wrong->place.line) +
            ": " + wrong->text;
    return std::nullopt;
  }
  return std::string(base::trim_pasted(text));
}

class Expander {
 public:
  Expander(const std::filesystem::path& directory, const Environment& environment)
      : directory_(directory), environment_(environment) {}

  Expansion run(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
      const std::string_view rest = text.substr(at);
      if (rest.starts_with("$${")) {
        out_.text += "${";
        at += 3;
      } else if (rest.starts_with("${")) {
        at += placeholder(rest);
      } else {
        out_.text += text[at++];
      }
    }
    return std::move(out_);
  }

 private:
  // Reads the placeholder at the start of `rest`; gives its length.
  std::size_t placeholder(std::string_view rest) {
    const auto end = rest.find('}');
    if (end == std::string_view::npos) {
      out_.faults.push_back("\"${\" is not closed; write ${NAME}, or $${ for the text ${");
      return rest.size();
    }
    const std::string_view inside = rest.substr(2, end - 2);
    if (inside.starts_with(kFilePrefix)) {
      take_file(inside.substr(kFilePrefix.size()));
    } else if (inside.starts_with(kCredentialPrefix)) {
      take_credential(inside.substr(kCredentialPrefix.size()));
    } else if (is_variable_name(inside)) {
      take_variable(inside);
    } else {
      out_.faults.push_back(
          "what stands in ${ } is no name of a variable; write ${NAME}, ${file:PATH} or "
          "${credential:NAME}");
    }
    return end + 1;
  }

  void take_file(std::string_view name) {
    take_contents(directory_ / path_of(base::trim_ascii(name)), "${file:...}",
                  "file " + std::string(base::trim_ascii(name)));
  }

  // What systemd was told to hand over to the service; by hand, the file that it would be made of.
  void take_credential(std::string_view name) {
    if (!is_credential_name(name)) {
      out_.faults.push_back("what stands behind ${credential: is no plain file name");
      return;
    }
    out_.credentials.emplace_back(name);
    const std::filesystem::path handed_over =
        path_of(environment_.get("CREDENTIALS_DIRECTORY").value_or("")) / path_of(name);
    std::error_code failed;
    const bool is_there = handed_over.is_absolute() && std::filesystem::exists(handed_over, failed);
    take_contents(is_there ? handed_over : directory_ / path_of(name), "${credential:...}",
                  "credential " + std::string(name));
  }

  void take_contents(const std::filesystem::path& path, std::string_view placeholder,
                     const std::string& origin) {
    out_.files.push_back(path);
    std::string fault;
    if (const auto contents = file_contents(path, placeholder, fault)) {
      out_.text += *contents;
      note(origin);
    } else {
      out_.faults.push_back(fault);
    }
  }

  void take_variable(std::string_view name) {
    out_.variables.emplace_back(name);
    if (const auto value = environment_.get(name)) {
      out_.text += *value;
      note("variable " + std::string(name));
    } else {
      out_.faults.push_back("the environment variable " + std::string(name) +
                            " is not set; set it where weir is started, or write the value here");
    }
  }

  void note(const std::string& origin) {
    out_.origin += (out_.origin.empty() ? "" : ", ") + origin;
  }

  const std::filesystem::path& directory_;
  const Environment& environment_;
  Expansion out_;
};

}  // namespace

Expansion expand(std::string_view text, const std::filesystem::path& directory,
                 const Environment& environment) {
  return Expander(directory, environment).run(text);
}

}  // namespace weir::config
