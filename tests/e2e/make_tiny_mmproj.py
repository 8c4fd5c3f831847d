#!/usr/bin/env python3
"""Writes projector files (mmproj) for a real llama-server: right keys, the tensors it asks for, no layers.

    make_tiny_mmproj.py PROJECTOR OUT.gguf [KEY=NUMBER ...]

Such a file cannot encode a picture, but the server counts with it: its route that counts tokens only computes how many
a picture becomes. It must be started with --no-warmup. The width is that of make_tiny_gguf.py's models. KEY=NUMBER
replaces or adds a key below "clip.", as in vision.patch_size=14.
"""
import argparse

from make_tiny_gguf import F32, WIDTH, f32, write

# tensors: name -> dimensions
SQUARE, LINE = (WIDTH, WIDTH), (WIDTH,)


def linear(name, bias=True):
    return {f"{name}.weight": SQUARE, **({f"{name}.bias": LINE} if bias else {})}


def mlp(*numbers, bias=True):
    return {name: shape for n in numbers for name, shape in linear(f"mm.{n}", bias).items()}


NORM = {"mm.input_norm.weight": LINE, "mm.input_norm.bias": LINE}
PIXELS = {"vision.image_min_pixels": 3136, "vision.image_max_pixels": 1003520}

# projector -> keys (below "clip."), tensors
PROJECTORS = {
    "qwen2vl_merger": ({"vision.patch_size": 14}, mlp(0, 2)),
    "qwen2.5vl_merger": ({"vision.patch_size": 14, "vision.n_wa_pattern": 8}, mlp(0, 2)),
    "qwen3vl_merger": ({"vision.patch_size": 16, "vision.spatial_merge_size": 2}, mlp(0, 2)),
    "gemma3": ({"vision.image_size": 896, "vision.patch_size": 14},
               {"mm.input_projection.weight": SQUARE, "mm.soft_emb_norm.weight": LINE}),
    "gemma4v": ({"vision.image_size": 768, "vision.patch_size": 16}, {"mm.input_projection.weight": SQUARE}),
    "idefics3": ({"vision.image_size": 512, "vision.patch_size": 16, "vision.projector.scale_factor": 4,
                  "vision.preproc_image_size": 2048}, {"mm.model.fc.weight": SQUARE}),
    "pixtral": ({"vision.image_size": 1540, "vision.patch_size": 14, "vision.spatial_merge_size": 2},
                {**mlp(1, 2, bias=False), "v.token_embd.img_break": LINE}),
    "lightonocr": ({"vision.image_size": 1540, "vision.patch_size": 14, "vision.spatial_merge_size": 2},
                   mlp(1, 2, bias=False)),
    "internvl": ({"vision.image_size": 448, "vision.patch_size": 14, "vision.projector.scale_factor": 2},
                 {name.replace("mm.", "mm.model.mlp."): shape for name, shape in mlp(0, 1, 3).items()}),
    "llama4": ({"vision.image_size": 336, "vision.patch_size": 14, "vision.projector.scale_factor": 2},
               {**mlp(1, 2), "mm.model.fc.weight": SQUARE, "mm.model.mlp.1.weight": SQUARE,
                "mm.model.mlp.2.weight": SQUARE}),
    "lfm2": ({"vision.image_size": 256, "vision.patch_size": 16, "vision.projector.scale_factor": 2}, mlp(1, 2)),
    "kimivl": ({"vision.patch_size": 14, "vision.projector.scale_factor": 2}, {**NORM, **mlp(1, 2)}),
    "kimik25": ({"vision.patch_size": 14, "vision.projector.scale_factor": 2}, {**NORM, **mlp(1, 2)}),
    "paddleocr": ({"vision.patch_size": 14, **PIXELS}, {**NORM, **mlp(1, 2)}),
    "glm4v": ({"vision.image_size": 336, "vision.patch_size": 14},
              {"mm.model.fc.weight": SQUARE, "mm.up.weight": SQUARE, "mm.gate.weight": SQUARE, "mm.down.weight": SQUARE,
               "mm.post_norm.weight": LINE, **linear("mm.patch_merger")}),
    "resampler": ({"vision.image_size": 448, "vision.patch_size": 14, "minicpmv_version": 4, "minicpmv_query_num": 64},
                  {"resampler.pos_embed_k": SQUARE, "resampler.query": SQUARE, "resampler.proj.weight": SQUARE,
                   "resampler.kv.weight": SQUARE,
                   **{k: v for n in ("q", "k", "v", "out") for k, v in linear(f"resampler.attn.{n}").items()},
                   **{k: v for n in ("q", "kv", "post") for k, v in linear(f"resampler.ln_{n}").items()}}),
    "mlp": ({"vision.image_size": 336, "vision.patch_size": 14}, mlp(0, 2)),
    "phi4": ({"vision.image_size": 448, "vision.patch_size": 14, **PIXELS}, mlp(0, 2)),
    "nemotron_v2_vl": ({"vision.image_size": 512, "vision.patch_size": 16, "vision.projector.scale_factor": 2},
                       {"mm.model.mlp.0.weight": SQUARE, "mm.model.mlp.1.weight": SQUARE,
                        "mm.model.mlp.3.weight": SQUARE}),
}


def keys_of(projector, changed):
    yield "general.architecture", "str", "clip"
    yield "clip.projector_type", "str", projector
    yield "clip.has_vision_encoder", "bool", True
    yield "clip.use_gelu", "bool", True
    numbers = {"vision.image_size": 768, "vision.embedding_length": WIDTH, "vision.feed_forward_length": WIDTH,
               "vision.block_count": 0, "vision.projection_dim": WIDTH, "vision.attention.head_count": 2}
    for key, number in {**numbers, **PROJECTORS[projector][0], **changed}.items():
        yield f"clip.{key}", "i32" if key == "minicpmv_version" else "u32", number
    yield "clip.vision.attention.layer_norm_epsilon", "f32", 1e-6
    yield "clip.vision.image_mean", "f32s", [0.5, 0.5, 0.5]
    yield "clip.vision.image_std", "f32s", [0.5, 0.5, 0.5]


def tensors(projector):
    shapes = {"v.patch_embd.weight": SQUARE, "v.position_embd.weight": SQUARE, **PROJECTORS[projector][1]}
    for name, shape in shapes.items():
        count = 1
        for size in shape:
            count *= size
        yield name, F32, shape, f32(0.01, count)


def main():
    parser = argparse.ArgumentParser(description="Writes a projector file that can be counted with.")
    parser.add_argument("projector", choices=sorted(PROJECTORS))
    parser.add_argument("out")
    parser.add_argument("keys", nargs="*", metavar="KEY=NUMBER")
    args = parser.parse_args()
    changed = {key: int(number) for key, number in (pair.split("=") for pair in args.keys)}
    write(args.out, keys_of(args.projector, changed), tensors(args.projector))


if __name__ == "__main__":
    main()
