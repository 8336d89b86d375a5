/// A list in the order of insertion, whose elements have ids that are never reused (ids.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace tendril {

/// T must have a member `id` of type Id. Elements never move in memory.
template <class T, class Id>
class SlotList {
public:
    /// Constructs an element at the end of the list.
    template <class... Args>
    T& add(Args&&... args)
    {
        if (free_.empty()) {
            free_.push_back(static_cast<uint32_t>(slots_.size()));
            slots_.emplace_back();
        }
        list_.push_back(std::make_unique<T>(std::forward<Args>(args)...));
        const uint32_t index = free_.back();
        free_.pop_back();
        T& added = *list_.back();
        added.id.index = index;
        added.id.generation = slots_[index].generation;
        slots_[index].element = &added;
        return added;
    }

    /// Returns null if no element has this id, or if it was removed.
    T* find(const Id& id) const
    {
        if (id.index >= slots_.size() || slots_[id.index].generation != id.generation) return nullptr;
        return slots_[id.index].element;
    }

    void remove(T& element)
    {
        Slot& slot = slots_[element.id.index];
        slot.element = nullptr;
        ++slot.generation;
        free_.push_back(element.id.index);
        std::erase_if(list_, [&](const auto& kept) { return kept.get() == &element; });
    }

    size_t size() const { return list_.size(); }
    bool empty() const { return list_.empty(); }
    T& operator[](size_t position) const { return *list_[position]; }
    /// The position of an element in the list.
    size_t position(const T& element) const
    {
        const auto found = std::find_if(list_.begin(), list_.end(), [&](const auto& e) { return e.get() == &element; });
        return static_cast<size_t>(found - list_.begin());
    }

    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = T;
        using difference_type = ptrdiff_t;
        using pointer = T*;
        using reference = T&;

        explicit Iterator(const std::unique_ptr<T>* at) : at_(at) {}
        T& operator*() const { return **at_; }
        Iterator& operator++()
        {
            ++at_;
            return *this;
        }
        Iterator operator++(int) { return Iterator(at_++); }
        bool operator==(const Iterator&) const = default;

    private:
        const std::unique_ptr<T>* at_;
    };
    Iterator begin() const { return Iterator(list_.data()); }
    Iterator end() const { return Iterator(list_.data() + list_.size()); }

private:
    struct Slot {
        T* element = nullptr;
        uint32_t generation = 0;
    };
    std::vector<std::unique_ptr<T>> list_;
    std::vector<Slot> slots_;
    std::vector<uint32_t> free_;
};

}  // namespace tendril
