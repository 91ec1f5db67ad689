import { CountersignError } from '@countersign/protocol'
import type { SharpConstructor } from 'sharp'

/** The readers of the five types that previews are made of. All others stay shut: each is a way in for a crafted file. */
const readers = ['Png', 'Jpeg', 'Gif', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`)

/** A smaller picture, upright, without what a camera wrote into it. One that would fill the memory is refused. */
export async function renderPreview(source: Buffer, edge: number, pixels: number): Promise<Buffer> {
  const sharp = await load()
  try {
    return await sharp(source, { limitInputPixels: pixels, failOn: 'error' })
      .autoOrient()
      .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: 20 })
      .toBuffer()
  } catch (cause) {
    throw new CountersignError('InvalidImageData', 'No preview can be made of this image.', { cause })
  }
}

let loaded: Promise<SharpConstructor> | undefined

/** Loaded on use: most servers never need it, and it is 20 MB of machine code. */
function load(): Promise<SharpConstructor> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: readers })
    return sharp
  })
  return loaded
}
