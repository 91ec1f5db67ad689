import type { MoralisObject, SaveOptions } from './MoralisObject.ts'

export async function saveAll(list: readonly MoralisObject[], options?: SaveOptions): Promise<void> {
  for (const object of list) await object.save(null, options)
}

export async function destroyAll(list: readonly MoralisObject[]): Promise<void> {
  for (const object of list) await object.destroy()
}

export async function fetchAll(list: readonly MoralisObject[]): Promise<void> {
  await Promise.all(list.map((object) => object.fetch()))
}
