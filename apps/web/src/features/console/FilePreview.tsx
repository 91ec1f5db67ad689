import { useState } from 'react'
import { t } from '../../i18n/translate.ts'

/** The name that it was uploaded under: the server puts a random part before it. */
export const shortName = (name: string) => name.replace(/^[0-9a-f]{32}_/, '')

/** Pictures that a browser draws without running anything; not SVG. */
const pictures = new Set(['png', 'jpeg', 'gif', 'webp', 'avif'])

/** Judged by the type if it is known, else by the name. */
export function isPicture(name: string, type?: string): boolean {
  const kind = type === undefined ? name.split('.').at(-1)?.toLowerCase() : /^image\/(\w+)/.exec(type)?.[1]
  return pictures.has(kind === 'jpg' ? 'jpeg' : (kind ?? ''))
}

/** A picture. An `img` runs no script with any content, and does not reveal the console to the file's host. */
export function FilePreview({ name, url }: { name: string; url: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return null
  return (
    <img
      src={url}
      alt={t('Preview of {name}', { name: shortName(name) })}
      referrerPolicy="no-referrer"
      loading="lazy"
      onError={() => setBroken(true)}
      className="mb-4 max-h-60 max-w-full rounded-control border border-line bg-sunken"
    />
  )
}
