import { avatarHue } from '../lib/avatarHue.ts'
import { cx } from '../lib/cx.ts'
import { initials } from '../lib/initials.ts'

/** Initials on a colour that belongs to the name. Decorative: the name always stands beside it. */
export function Avatar({ name, size = 40, className }: { name: string; size?: number; className?: string }) {
  const hue = avatarHue(name)
  return (
    <span
      aria-hidden="true"
      className={cx('grid shrink-0 place-items-center rounded-full font-semibold text-white select-none', className)}
      style={{
        width: size,
        height: size,
        fontSize: size * 0.4,
        // Dark enough for white letters at every hue.
        background: `linear-gradient(145deg, oklch(0.55 0.11 ${hue}), oklch(0.43 0.11 ${(hue + 40) % 360}))`,
      }}
    >
      {initials(name)}
    </span>
  )
}
