import type { Client } from '@countersign/react'
import { request } from '@countersign/react/core'

/** The picture that a name shows of itself, as this server fetched it: the page asks no other host. */
export async function fetchNamePicture(client: Client, chain: number, name: string): Promise<Blob> {
  const { result } = await request(client, 'getNamePicture', { chain: String(chain), name })
  const bytes = Uint8Array.from(atob(result.base64), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: result.type })
}
