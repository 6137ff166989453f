#pragma once

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <string>

#include "command.h"
#include "json.h"
#include "report.h"

namespace sinew::tool {

/// Prints answer(model, ask), where the ask is the JSON object in a file. An invalid file, model or ask is refused.
template <class Answer>
int answer_ask(const std::string& model_path, const std::string& ask_path, Answer&& answer) {
  std::ifstream file(ask_path);
  if (!file) return refuse(fmt::format("cannot read {}", ask_path));
  const Json ask = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!ask.is_object()) return refuse(fmt::format("{} is not a JSON object", ask_path));
  std::optional<Model> model = load_and_report(model_path);
  if (!model) return kRefused;
  try {
    const Json out = answer(*model, ask);
    fmt::print("{}\n", out.dump(-1, ' ', false, Json::error_handler_t::replace));
  } catch (const BadAsk& e) {
    return refuse(fmt::format("{}: {}", ask_path, e.what()));
  } catch (const Json::exception& e) {
    return refuse(fmt::format("{}: {}", ask_path, e.what()));
  }
  return kDone;
}

}  // namespace sinew::tool
