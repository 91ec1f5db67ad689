import type { Eip1193Provider } from './Eip1193Provider.ts'

export type Announcement = {
  readonly uuid: string
  readonly rdns: string
  readonly name: string
  readonly icon: string | undefined
  readonly provider: Eip1193Provider
}

/**
 * What a wallet says of itself (EIP-6963), each part read once: an object with getters could answer otherwise the second
 * time. Anything that is no announcement is none.
 */
export function readAnnouncement(detail: unknown): Announcement | undefined {
  try {
    const { info, provider } = Object(detail)
    const { uuid, rdns, name, icon } = Object(info)
    const isComplete = [uuid, rdns, name].every((part) => typeof part === 'string' && part !== '')
    if (!isComplete || typeof provider?.request !== 'function') return undefined
    return { uuid, rdns: readLine(rdns), name: readLine(name), icon: readIcon(icon), provider }
  } catch {
    return undefined
  }
}

/** One short line: no control characters, and none that turn the writing direction and so disguise a name. */
export function readLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 64)
}

/** Only what an `<img>` shows without asking another host, and never a document (S24). */
export function readIcon(icon: unknown): string | undefined {
  const isImage = typeof icon === 'string' && icon.length < 500_000 && /^data:image\/[\w.+-]+[;,]/i.test(icon.trim())
  return isImage ? icon.trim() : undefined
}
