const edge = 512

/**
 * The middle of a picture as a small square one. It is drawn anew, so that nothing leaves the page that a camera wrote
 * into the file, such as the place where it was taken.
 */
export async function squarePicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const side = Math.min(picture.width, picture.height)
  const size = Math.min(edge, side)
  const canvas = document.createElement('canvas')
  canvas.width = size
  canvas.height = size
  const left = (picture.width - side) / 2
  const top = (picture.height - side) / 2
  canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, size, size)
  picture.close()
  // Not every browser writes WebP; those that cannot write PNG instead.
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be drawn.'))),
      'image/webp',
      0.9,
    )
  })
}
