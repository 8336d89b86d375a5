#include "io/gltf_model.h"

#include "io/file_bytes.h"
#include "io/gltf_json.h"
#include "io/text_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

namespace tendril {
namespace {

// --- input that is kept away from tinygltf

constexpr std::string_view kCompressions[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                              "KHR_meshopt_compression"};

/// Makes JSON safe for tinygltf, in place:
/// - Images, extensions and extras are not needed, but would cost file accesses, copies and recursion. Their keys are
///   overwritten so that tinygltf does not find them, and so are keys with escapes, which could spell the same names.
///   Only the instances of a node's mesh stay.
/// - Nesting is limited to a depth that real files do not reach.
/// - The number of buffers is limited, because each one without a file of its own is a copy of the binary chunk.
class JsonGuard {
public:
    explicit JsonGuard(std::string& text) : text_(text) {}

    /// Returns what is wrong, or nullptr.
    const char* clean(size_t max_buffers)
    {
        constexpr size_t kMaxJsonDepth = 64;
        for (size_t i = 0; i < text_.size(); ++i) {
            const char c = text_[i];
            if (c == '"') i = scan_string(i);
            if (c == '}' || c == ']') depth_ -= depth_ > 0;
            if (c != '{' && c != '[') continue;
            if (++depth_ > kMaxJsonDepth) return "its JSON is nested too deeply";
            if (c == '{' && depth_ == 3 && in_buffers_ && ++buffers_ > max_buffers) return "it has too many buffers";
        }
        return nullptr;
    }

    /// The extension that compresses meshes and is listed by the file, or empty; and whether the file cannot be read
    /// without it.
    const std::string& compression() const { return compression_; }
    bool needs_compression() const { return needs_compression_; }

private:
    /// Overwrites the string if it is an unwanted key. Returns the position of its closing quote.
    size_t scan_string(size_t open)
    {
        size_t close = open + 1;
        while (close < text_.size() && text_[close] != '"') close += text_[close] == '\\' ? 2 : 1;
        const size_t next = close < text_.size() ? text_.find_first_not_of(" \t\r\n", close + 1) : std::string::npos;
        if (next == std::string::npos) return close;
        const std::string_view key = std::string_view(text_).substr(open + 1, close - open - 1);
        if (text_[next] != ':') {
            note_extension(key);
            return close;
        }
        if (depth_ == 1) {
            in_buffers_ = key == "buffers";
            in_nodes_ = key == "nodes";
            in_used_ = key == "extensionsUsed";
            in_required_ = key == "extensionsRequired";
        }
        if (is_hidden(key))
            std::fill(text_.begin() + static_cast<std::ptrdiff_t>(open) + 1,
                      text_.begin() + static_cast<std::ptrdiff_t>(close), '_');
        return close;
    }

    bool is_hidden(std::string_view key) const
    {
        if (in_nodes_ && depth_ == 3 && key == "extensions") return false;
        if (in_nodes_ && depth_ == 4 && key != "EXT_mesh_gpu_instancing") return true;
        return key == "images" || key == "extensions" || key == "extras" || key.find('\\') != std::string_view::npos;
    }

    void note_extension(std::string_view name)
    {
        if (depth_ != 2 || !(in_used_ || in_required_)) return;
        if (std::find(std::begin(kCompressions), std::end(kCompressions), name) == std::end(kCompressions)) return;
        if (compression_.empty()) compression_ = name;
        needs_compression_ = needs_compression_ || in_required_;
    }

    std::string& text_;
    size_t depth_ = 0, buffers_ = 0;
    bool in_buffers_ = false, in_nodes_ = false, in_used_ = false, in_required_ = false;
    std::string compression_;
    bool needs_compression_ = false;
};

// --- the binary container

uint32_t u32_at(Bytes bytes, size_t offset)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value |= std::to_integer<uint32_t>(bytes[offset + i]) << (8 * i);
    return value;
}

void append_u32(std::vector<unsigned char>& out, size_t value)
{
    for (size_t i = 0; i < 4; ++i) out.push_back(static_cast<unsigned char>(value >> (8 * i)));
}

struct GlbParts {
    std::string json;
    Bytes binary;
};

Result<GlbParts> split_glb(Bytes bytes, const std::string& name)
{
    constexpr uint32_t kJson = 0x4e4f534a, kBinary = 0x004e4942;
    if (bytes.size() < 20) return Error{fmt::format("{}: the file ends within the header of a binary glTF", name)};
    if (u32_at(bytes, 4) != 2)
        return Error{fmt::format("{}: glTF version {}; only version 2 can be read", name, u32_at(bytes, 4))};
    GlbParts parts;
    for (size_t at = 12; at < bytes.size();) {
        if (bytes.size() - at < 8) break;  // some writers pad the end of the file
        const size_t size = u32_at(bytes, at);
        const uint32_t kind = u32_at(bytes, at + 4);
        if (size > bytes.size() - at - 8)
            return Error{
                fmt::format("{}: the file ends at {} of {} bytes; copy it again", name, bytes.size(), at + 8 + size)};
        const Bytes chunk = bytes.subspan(at + 8, size);
        if (at == 12 && kind != kJson) return Error{fmt::format("{}: the first chunk is not JSON", name)};
        if (at == 12) parts.json = as_text(chunk);
        if (kind == kBinary && parts.binary.empty()) parts.binary = chunk;
        at += 8 + size;
    }
    return parts;
}

/// Rebuilds the container. tinygltf checks the length of the binary chunk without counting the chunk's header, so it
/// gets a container whose lengths are right.
std::vector<unsigned char> join_glb(const GlbParts& parts)
{
    const auto padded = [](size_t size) { return (size + 3) / 4 * 4; };
    const size_t json = padded(parts.json.size()), binary = padded(parts.binary.size());
    std::vector<unsigned char> out = {'g', 'l', 'T', 'F'};
    out.reserve(28 + json + binary);
    append_u32(out, 2);
    append_u32(out, 20 + json + (binary > 0 ? 8 + binary : 0));
    append_u32(out, json);
    append_u32(out, 0x4e4f534a);
    out.insert(out.end(), parts.json.begin(), parts.json.end());
    out.resize(20 + json, ' ');
    if (binary == 0) return out;
    append_u32(out, binary);
    append_u32(out, 0x004e4942);
    const auto* data = reinterpret_cast<const unsigned char*>(parts.binary.data());
    out.insert(out.end(), data, data + parts.binary.size());
    out.resize(28 + json + binary, 0);
    return out;
}

// --- buffers in other files

bool is_inside(const std::string& file, const std::string& folder)
{
    std::error_code error;
    const auto inner = std::filesystem::weakly_canonical(file, error);
    if (error || folder.empty()) return false;
    const auto outer = std::filesystem::weakly_canonical(folder, error);
    if (error) return false;
    const auto ends = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return ends.first == outer.end() && std::filesystem::is_regular_file(inner, error);
}

using FileContents = std::vector<std::vector<unsigned char>>;

/// Reads the buffers that are in files of their own, from `folder` only.
Result<FileContents> read_buffer_files(const std::vector<GltfBufferFile>& files, const std::string& name,
                                       const std::string& folder)
{
    FileContents contents;
    for (const GltfBufferFile& file : files) {
        const auto fault = [&](const std::string& what) {
            return Error{fmt::format("{}: buffer {}: {}", name, file.buffer, what)};
        };
        constexpr const char* kRemedy = "put it there, or export one .glb";
        if (folder.empty())
            return fault(
                fmt::format("it is in another file, '{}', which is not read here; export one .glb", file.path));
        const std::filesystem::path path = std::filesystem::path(folder) / file.path;
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored))
            return fault(fmt::format("there is no file '{}' in the folder of the glTF file; {}", file.path, kRemedy));
        if (!is_inside(path.string(), folder))
            return fault(fmt::format("'{}' is not a file in the folder of the glTF file; {}", file.path, kRemedy));
        const auto opened = open_file(path.string());
        if (!opened) return fault(opened.error());
        const Bytes bytes = opened->bytes();
        if (bytes.size() < file.bytes)
            return fault(
                fmt::format("'{}' has {} of {} bytes; copy or export it again", file.path, bytes.size(), file.bytes));
        // A file may be longer than its buffer.
        const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
        contents.emplace_back(data, data + file.bytes);
    }
    return contents;
}

/// Gives tinygltf, which reads one buffer after another, the bytes that are read already.
struct BufferQueue {
    FileContents contents;
    size_t next = 0;

    static BufferQueue& of(void* user) { return *static_cast<BufferQueue*>(user); }
    bool is_empty() const { return next >= contents.size(); }
};

bool has_next(const std::string&, void* queue)
{
    return !BufferQueue::of(queue).is_empty();
}

bool take_next(std::vector<unsigned char>* out, std::string*, const std::string&, void* user)
{
    BufferQueue& queue = BufferQueue::of(user);
    if (queue.is_empty()) return false;
    *out = std::move(queue.contents[queue.next++]);
    return true;
}

/// Newer versions of tinygltf also ask for the size of a file, and refuse all of `files` where nobody answers: they
/// would go on with functions of their own, which read any file of the machine. Whether they were taken.
template <class Files>
bool use_files(tinygltf::TinyGLTF& loader, Files files)
{
    if constexpr (requires { files.GetFileSizeInBytes; }) {
        files.GetFileSizeInBytes = [](size_t* size, std::string*, const std::string&, void* user) {
            const BufferQueue& queue = BufferQueue::of(user);
            if (queue.is_empty()) return false;
            *size = queue.contents[queue.next].size();
            return true;
        };
        return loader.SetFsCallbacks(files);
    } else {
        loader.SetFsCallbacks(files);
        return true;
    }
}

/// Opens no file itself.
std::optional<tinygltf::TinyGLTF> make_loader(BufferQueue& queue)
{
    tinygltf::TinyGLTF loader;
    tinygltf::FsCallbacks files{};
    files.FileExists = has_next;
    files.ExpandFilePath = [](const std::string& file, void*) { return file; };
    files.ReadWholeFile = take_next;
    files.WriteWholeFile = [](std::string*, const std::string&, const std::vector<unsigned char>&, void*) {
        return false;
    };
    files.user_data = &queue;
    if (!use_files(loader, files)) return std::nullopt;
    loader.SetImageLoader([](tinygltf::Image*, int, std::string*, std::string*, int, int, const unsigned char*, int,
                             void*) { return true; },
                          nullptr);
    return loader;
}

/// The first line of the message from tinygltf, or a generic one if it gives none.
std::string reason(const std::string& error)
{
    const std::string line = error.substr(0, error.find('\n'));
    return line.empty() ? "not a readable glTF file" : line;
}

// --- numbers

using tinygltf::Accessor;

/// Elements that are known to lie within a buffer.
struct BufferElements {
    const unsigned char* data = nullptr;
    size_t stride = 0;
};

Result<BufferElements> find_elements(const tinygltf::Model& model, int view_index, size_t offset, size_t count,
                                     size_t size)
{
    if (view_index < 0 || static_cast<size_t>(view_index) >= model.bufferViews.size())
        return Error{fmt::format("there is no buffer view {}", view_index)};
    const tinygltf::BufferView& view = model.bufferViews[static_cast<size_t>(view_index)];
    if (view.buffer < 0 || static_cast<size_t>(view.buffer) >= model.buffers.size())
        return Error{fmt::format("there is no buffer {}", view.buffer)};
    const std::vector<unsigned char>& data = model.buffers[static_cast<size_t>(view.buffer)].data;
    if (view.byteStride > 0 && view.byteStride < size)
        return Error{fmt::format("buffer view {} has a byteStride of {}, but its elements have {} bytes", view_index,
                                 view.byteStride, size)};
    const size_t stride = view.byteStride > 0 ? view.byteStride : size;
    const bool fits =
        view.byteOffset <= data.size() && view.byteLength <= data.size() - view.byteOffset &&
        offset <= view.byteLength &&
        (count == 0 || (size <= view.byteLength - offset && count - 1 <= (view.byteLength - offset - size) / stride));
    if (!fits) return Error{fmt::format("buffer view {} does not hold {} elements", view_index, count)};
    return BufferElements{data.data() + view.byteOffset + offset, stride};
}

template <class T>
double decode_as(const unsigned char* data, double largest)
{
    T value;
    std::memcpy(&value, data, sizeof value);
    return largest > 0 ? std::max(static_cast<double>(value) / largest, -1.0) : static_cast<double>(value);
}

double decode(const unsigned char* data, int type, bool normalized)
{
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_BYTE: return decode_as<int8_t>(data, normalized ? 127 : 0);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return decode_as<uint8_t>(data, normalized ? 255 : 0);
        case TINYGLTF_COMPONENT_TYPE_SHORT: return decode_as<int16_t>(data, normalized ? 32767 : 0);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return decode_as<uint16_t>(data, normalized ? 65535 : 0);
        case TINYGLTF_COMPONENT_TYPE_INT: return decode_as<int32_t>(data, 0);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT: return decode_as<uint32_t>(data, 0);
        case TINYGLTF_COMPONENT_TYPE_FLOAT: return decode_as<float>(data, 0);
        default: return decode_as<double>(data, 0);
    }
}

/// Replaces the elements that a sparse accessor lists.
const char* apply_sparse(const tinygltf::Model& model, const Accessor& accessor, size_t component_size, Numbers& out)
{
    const auto& sparse = accessor.sparse;
    const int32_t index_size = tinygltf::GetComponentSizeInBytes(static_cast<uint32_t>(sparse.indices.componentType));
    // These are int or size_t, depending on the version of tinygltf.
    const auto is_negative = [](auto n) { return static_cast<int64_t>(n) < 0; };
    if (is_negative(sparse.count) || is_negative(sparse.indices.byteOffset) || is_negative(sparse.values.byteOffset) ||
        index_size <= 0)
        return "its sparse part has an invalid count, offset or type";
    const size_t count = static_cast<size_t>(sparse.count);
    const auto indices = find_elements(model, sparse.indices.bufferView, static_cast<size_t>(sparse.indices.byteOffset),
                                       count, static_cast<size_t>(index_size));
    const auto values = find_elements(model, sparse.values.bufferView, static_cast<size_t>(sparse.values.byteOffset),
                                      count, component_size * out.components);
    if (!indices || !values) return "its sparse part lies outside its buffers";
    for (size_t i = 0; i < count; ++i) {
        const double index = decode(indices->data + i * indices->stride, sparse.indices.componentType, false);
        if (!(index >= 0 && index < static_cast<double>(out.count)))
            return "its sparse part refers to missing elements";
        double* element = out.values.data() + static_cast<size_t>(index) * out.components;
        for (size_t c = 0; c < out.components; ++c)
            element[c] = decode(values->data + i * values->stride + c * component_size, accessor.componentType,
                                accessor.normalized);
    }
    return nullptr;
}

}  // namespace

Result<GltfModel> load_gltf(Bytes bytes, const std::string& name, const std::string& folder)
{
    constexpr size_t kMaxFileBytes = std::numeric_limits<int32_t>::max();  // tinygltf uses 32-bit sizes
    constexpr size_t kMaxBuffersInText = 64, kMaxBuffersInBinary = 4;
    if (bytes.size() > kMaxFileBytes) return Error{fmt::format("{}: the file is larger than 2 GB", name)};
    const bool is_binary = as_text(bytes).substr(0, 4) == "glTF";
    GlbParts parts;
    if (is_binary) {
        auto split = split_glb(bytes, name);
        if (!split) return Error{split.error()};
        parts = std::move(*split);
    } else {
        parts.json = as_text(bytes);
    }
    JsonGuard guard(parts.json);
    if (const char* fault = guard.clean(is_binary ? kMaxBuffersInBinary : kMaxBuffersInText))
        return Error{fmt::format("{}: {}", name, fault)};
    if (guard.needs_compression()) return Error{fmt::format("{}: {}", name, compression_fault(guard.compression()))};

    const auto files = check_gltf_json(parts.json, name);
    if (!files) return Error{files.error()};
    auto contents = read_buffer_files(*files, name, folder);
    if (!contents && guard.compression().empty()) return Error{contents.error()};

    GltfModel gltf;
    gltf.compression = guard.compression();
    std::string error, warning;
    BufferQueue queue;
    if (contents) queue.contents = std::move(*contents);
    auto loader = make_loader(queue);
    if (!loader) return Error{fmt::format("{}: this version of tinygltf cannot be kept from reading any file", name)};
    bool ok = false;
    if (is_binary) {
        const std::vector<unsigned char> glb = join_glb(parts);
        ok = loader->LoadBinaryFromMemory(&gltf.model, &error, &warning, glb.data(),
                                          static_cast<unsigned int>(glb.size()), folder);
    } else {
        ok = loader->LoadASCIIFromString(&gltf.model, &error, &warning, parts.json.data(),
                                         static_cast<unsigned int>(parts.json.size()), folder);
    }
    // A file may list a compression although it also has uncompressed buffers. Only if these are missing, it fails.
    if (!ok && !gltf.compression.empty())
        return Error{fmt::format("{}: {}", name, compression_fault(gltf.compression))};
    if (!ok) return Error{fmt::format("{}: {}", name, reason(error))};
    size_t size = bytes.size();
    for (const tinygltf::Buffer& buffer : gltf.model.buffers) size += buffer.data.size();
    gltf.numbers_left = 4'000'000 + 8 * size;
    gltf.elements_left = 10'000'000 + size;
    return gltf;
}

std::string compression_fault(const std::string& extension)
{
    return fmt::format(
        "its meshes are compressed with {}, which Tendril does not read; export the file without compression, or "
        "decompress it with: gltf-transform copy in.glb out.glb",
        extension);
}

Result<SharedNumbers> read_numbers(GltfModel& gltf, int index)
{
    if (const auto found = gltf.decoded.find(index); found != gltf.decoded.end()) return found->second;
    const tinygltf::Model& model = gltf.model;
    if (index < 0 || static_cast<size_t>(index) >= model.accessors.size())
        return Error{fmt::format("there is no accessor {}", index)};
    const Accessor& accessor = model.accessors[static_cast<size_t>(index)];
    const int32_t size = tinygltf::GetComponentSizeInBytes(static_cast<uint32_t>(accessor.componentType));
    const int32_t components = tinygltf::GetNumComponentsInType(static_cast<uint32_t>(accessor.type));
    if (size <= 0 || components <= 0) return Error{fmt::format("accessor {} has an unknown type", index)};
    // The columns of such matrices are padded, and no attribute that is read here uses them.
    if (components > 4 && size < 4)
        return Error{fmt::format("accessor {} is a matrix of 8-bit or 16-bit integers", index)};

    Numbers numbers{accessor.count, static_cast<size_t>(components), {}};
    if (accessor.count > gltf.numbers_left / numbers.components)
        return Error{fmt::format("accessor {} asks for more than the file holds", index)};
    const size_t component_size = static_cast<size_t>(size), element_size = component_size * numbers.components;
    BufferElements elements;
    if (accessor.bufferView < 0 && !accessor.sparse.isSparse && !gltf.compression.empty())
        return Error{compression_fault(gltf.compression)};
    if (accessor.bufferView >= 0) {
        const auto found = find_elements(model, accessor.bufferView, accessor.byteOffset, accessor.count, element_size);
        if (!found) return Error{fmt::format("accessor {}: {}", index, found.error())};
        elements = *found;
    }
    gltf.numbers_left -= accessor.count * numbers.components;
    numbers.values.resize(accessor.count * numbers.components);  // zeros if there is no buffer view
    if (elements.data != nullptr)
        for (size_t i = 0; i < accessor.count; ++i)
            for (size_t c = 0; c < numbers.components; ++c)
                numbers.values[i * numbers.components + c] =
                    decode(elements.data + i * elements.stride + c * component_size, accessor.componentType,
                           accessor.normalized);
    if (accessor.sparse.isSparse)
        if (const char* fault = apply_sparse(model, accessor, component_size, numbers))
            return Error{fmt::format("accessor {}: {}", index, fault)};
    return gltf.decoded[index] = std::make_shared<const Numbers>(std::move(numbers));
}

}  // namespace tendril
