import { useUser } from '@countersign/react'
import { useState } from 'react'
import { avatarHue } from '../lib/avatarHue.ts'
import { avatarUrl } from '../lib/avatarUrl.ts'
import { cx } from '../lib/cx.ts'
import { findAvatar } from '../lib/findAvatar.ts'
import { initials } from '../lib/initials.ts'
import { useConfig } from '../lib/useConfig.ts'

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
