const edge = 512

/**
 * The middle of a picture as a small square one. It is drawn again, so that nothing leaves the page that a camera wrote
 * into the file, such as the place where it was taken.
 */
export async function squarePicture(file: Blob): Promise<Blob> {
  const isDrawing = file.type === 'image/svg+xml'
  const picture = isDrawing
    ? await openDrawing(file)
    : await createImageBitmap(file, { imageOrientation: 'from-image' })
  const side = Math.min(picture.width, picture.height)
  const size = isDrawing ? edge : Math.min(edge, side)
  const canvas = document.createElement('canvas')
  canvas.width = size
  canvas.height = size
  // The whole of it, of which the canvas shows the middle: a part of a drawing is measured differently by browsers.
  const [width, height] = [(picture.width / side) * size, (picture.height / side) * size]
  canvas.getContext('2d')?.drawImage(picture, (size - width) / 2, (size - height) / 2, width, height)
  if (picture instanceof ImageBitmap) picture.close()
  // Not every browser writes WebP; those that cannot write PNG instead.
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be drawn.'))),
      'image/webp',
      0.9,
    )
  })
}

/** A drawing (SVG) as an image, in which no script runs and nothing else is loaded. */
async function openDrawing(file: Blob): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = URL.createObjectURL(file)
  try {
    await image.decode()
  } finally {
    URL.revokeObjectURL(image.src)
  }
  return image
}
