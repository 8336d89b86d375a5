/// The result of readers and builders: a value, or an error message that states what is wrong, where, and what to do.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace tendril {

struct Error {
    std::string message;
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }

    T& operator*()
    {
        assert(*this);
        return *std::get_if<T>(&state_);
    }
    const T& operator*() const
    {
        assert(*this);
        return *std::get_if<T>(&state_);
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }

    const std::string& error() const
    {
        assert(!*this);
        return std::get_if<Error>(&state_)->message;
    }

private:
    std::variant<T, Error> state_;
};

}  // namespace tendril
