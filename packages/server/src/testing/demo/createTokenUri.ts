import { drawPicture, type Style } from './drawPicture.ts'

/** The metadata of an NFT with its picture, whole in its URI, so that nothing has to be fetched. */
export function createTokenUri(
  style: Style,
  number: number,
  { name, description, traits = {} }: { name: string; description: string; traits?: Record<string, string | number> },
): string {
  const image = `data:image/svg+xml;base64,${Buffer.from(drawPicture(style, number)).toString('base64')}`
  const attributes = Object.entries(traits).map(([trait_type, value]) => ({ trait_type, value }))
  const document = JSON.stringify({ name, description, image, attributes })
  return `data:application/json;base64,${Buffer.from(document).toString('base64')}`
}
