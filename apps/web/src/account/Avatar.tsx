import type { RuntimeConfig } from '@countersign/protocol'
import { type User, useUser } from '@countersign/react'
import { useState } from 'react'
import { useConfig } from '../config/config.ts'
import { cx } from '../ui/cx.ts'

/**
 * The picture of the person who is signed in, or initials on a colour that belongs to the name. Decorative: the name
 * always stands beside it.
 */
export function Avatar({ name, size = 40, className }: { name: string; size?: number; className?: string }) {
  const config = useConfig()
  const user = useUser()
  const picture = user?.username === name ? findAvatar(user) : undefined
  const [broken, setBroken] = useState<string>()
  const hue = avatarHue(name)
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid shrink-0 place-items-center overflow-hidden rounded-full font-semibold text-white select-none',
        className,
      )}
      style={{
        width: size,
        height: size,
        fontSize: size * 0.4,
        // Dark enough for white letters at every hue.
        background: `linear-gradient(145deg, oklch(0.55 0.11 ${hue}), oklch(0.43 0.11 ${(hue + 40) % 360}))`,
      }}
    >
      {picture && picture !== broken ? (
        <img
          src={avatarUrl(config, picture, size)}
          alt=""
          width={size}
          height={size}
          className="size-full object-cover"
          onError={() => setBroken(picture)}
        />
      ) : (
        initials(name)
      )}
    </span>
  )
}

/** The name of the picture that a user has chosen, as the server keeps it. */
export function findAvatar(user: User | undefined): string | undefined {
  const avatar = user?.avatar
  if (typeof avatar !== 'object' || avatar === null || !('__type' in avatar) || avatar.__type !== 'File')
    return undefined
  return typeof avatar.name === 'string' ? avatar.name : undefined
}

/** URL of the picture on the page's own origin: the page may be open under another name than the server's. */
function avatarUrl({ serverUrl, appId }: RuntimeConfig, name: string, size: number): string {
  const pixels = Math.ceil(size * Math.min(window.devicePixelRatio || 1, 3))
  return `${serverUrl}/files/${encodeURIComponent(appId)}/${encodeURIComponent(name)}?size=${pixels}`
}

/** A hue that belongs to a name: the same on every device, without asking anyone. */
function avatarHue(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 100_003
  return (hash * 47) % 360
}

/** One or two letters for a name: `ada.lovelace@example.org` → `AL`. */
function initials(name: string): string {
  const words =
    name
      .split('@')[0]
      ?.split(/[\s._-]+/)
      .filter(Boolean) ?? []
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? '')
  return letters.join('').toLocaleUpperCase() || '?'
}
