/// Validates JSON against the schemas in docs/, which use a small part of JSON Schema. Any other keyword is a fault.
#pragma once

#include "support/cli.h"

#include <regex>

namespace tendril::test {

class JsonSchema {
public:
    /// `name`: a file of docs/, such as "report".
    explicit JsonSchema(const std::string& name)
        : root_(nlohmann::json::parse(text_of(std::string(TENDRIL_SOURCE_DIR) + "/docs/" + name + ".schema.json")))
    {
    }

    /// Everything in which a value departs from the schema, or from a part of it such as "/$defs/report". Unlike in a
    /// plain validation, a field that the schema does not list is a fault.
    std::vector<std::string> faults(const nlohmann::json& value, const std::string& part = "") const
    {
        std::vector<std::string> found;
        check(value, root_.at(nlohmann::json::json_pointer(part)), "", found);
        return found;
    }

private:
    using Json = nlohmann::json;
    using Faults = std::vector<std::string>;

    static bool has_type(const Json& value, const std::string& type)
    {
        if (type == "integer") return value.is_number_integer();
        if (type == "number") return value.is_number();
        return type == value.type_name();
    }

    void check(const Json& value, const Json& schema, const std::string& path, Faults& faults) const
    {
        const auto fault = [&](const std::string& what) {
            faults.push_back((path.empty() ? "/" : path) + ": " + what);
        };
        for (const auto& [keyword, rule] : schema.items()) {
            if (keyword == "$ref") {
                check(value, root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), path, faults);
            } else if (keyword == "type") {
                bool any = false;
                for (const Json& type : rule.is_array() ? rule : Json::array({rule})) any |= has_type(value, type);
                if (!any) fault("is " + std::string(value.type_name()) + " instead of " + rule.dump());
            } else if (keyword == "enum") {
                if (std::find(rule.begin(), rule.end(), value) == rule.end()) fault(value.dump() + " is not listed");
            } else if (keyword == "pattern") {
                if (!value.is_string() ||
                    !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())))
                    fault(value.dump() + " does not match " + rule.dump());
            } else if (keyword == "minimum") {
                if (value.is_number() && value < rule) fault("is below " + rule.dump());
            } else if (keyword == "required") {
                for (const Json& name : rule)
                    if (!value.contains(name.get<std::string>())) fault("has no " + name.dump());
            } else if (keyword == "items") {
                for (size_t i = 0; value.is_array() && i < value.size(); ++i)
                    check(value[i], rule, path + "/" + std::to_string(i), faults);
            } else if (keyword == "anyOf") {
                check_any(value, rule, path, faults);
            } else if (keyword != "properties" && keyword != "additionalProperties" && keyword != "description" &&
                       keyword != "title" && keyword != "$schema" && keyword != "$defs") {
                fault("the test does not know the keyword " + keyword);
            }
        }
        if (value.is_object() && (schema.contains("properties") || schema.contains("additionalProperties")))
            check_fields(value, schema, path, faults);
    }

    void check_fields(const Json& value, const Json& schema, const std::string& path, Faults& faults) const
    {
        for (const auto& [name, field] : value.items()) {
            if (schema.contains("properties") && schema["properties"].contains(name))
                check(field, schema["properties"][name], path + "/" + name, faults);
            else if (schema.contains("additionalProperties"))
                check(field, schema["additionalProperties"], path + "/" + name, faults);
            else
                faults.push_back(path + "/" + name + ": is not in the schema");
        }
    }

    /// If no variant fits, the faults are those of the one with the fewest.
    void check_any(const Json& value, const Json& variants, const std::string& path, Faults& faults) const
    {
        Faults fewest(1000);
        for (const Json& variant : variants) {
            Faults own;
            check(value, variant, path, own);
            if (own.size() < fewest.size()) fewest = own;
        }
        faults.insert(faults.end(), fewest.begin(), fewest.end());
    }

    Json root_;
};

}  // namespace tendril::test
