import type { BrandSettings } from '../config/brandSettings.ts'

/**
 * The style sheet that takes the place of the application's own colours. Unlayered, it wins over the layer in which
 * those stand; the sign-in sheet wears the same.
 */
export function createBrandSheet({ light, dark }: NonNullable<BrandSettings['colours']>): Buffer {
  const lines = Object.keys(light).flatMap((name) => {
    const key = name as keyof typeof light
    const variable = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const value = `light-dark(${light[key]},${dark[key]})`
    return [`--color-${variable}:${value}`, `--cs-${variable}:${value}`]
  })
  return Buffer.from(`:root{${lines.join(';')}}\n`)
}
