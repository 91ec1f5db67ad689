import type { Connector } from '../core/wallet/Connector.ts'
import { Glyph, type GlyphName } from './Glyph.tsx'

/** The wallet's own image. In `<img>` no script of it runs, and only `data:` sends no request anywhere (S24). */
export function WalletIcon({ connector, size }: { connector: Connector; size: 'small' | 'large' }) {
  const { icon, kind } = connector
  const glyph: GlyphName = kind === 'walletconnect' ? 'phone' : kind === 'demo' ? 'demo' : 'wallet'
  return (
    <span className="cs-icon" data-size={size}>
      {icon && /^data:image\//i.test(icon) ? (
        <img src={icon} alt="" draggable={false} />
      ) : (
        <Glyph name={glyph} size={size === 'large' ? 32 : 20} />
      )}
    </span>
  )
}
