import type { CSSProperties } from 'react'

type ByMoralisProps = { width?: number; variant?: 'colour' | 'dark' | 'light'; style?: CSSProperties }

const colours = { colour: '#0f7d5c', dark: '#041836', light: '#ffffff' }

/**
 * The badge of the older name. That service has ended, so it names the current server.
 *
 * @example
 * <ByMoralis variant="dark" width={150} />
 */
export function ByMoralis({ width = 250, variant = 'colour', style }: ByMoralisProps) {
  return (
    <svg width={width} viewBox="0 0 250 40" style={style} role="img" aria-label="Powered by Countersign">
      <text x="0" y="27" fontFamily="sans-serif" fontSize="20" fill={colours[variant]}>
        Powered by Countersign
      </text>
    </svg>
  )
}
