import { useConfigState } from '../config/config.ts'
import { cx } from './cx.ts'

/** The logo of the operator, for both themes; our own mark where none is set. */
export function Logo({ size = 32 }: { size?: number }) {
  const state = useConfigState()
  // Keeps the space until the configuration is loaded: the logo is unknown before.
  if (state.status === 'pending') return <span aria-hidden="true" className="block size-8 shrink-0" />
  const { logo, logoDark } = state.status === 'ready' ? state.config.brand : {}
  if (!logo) return <Mark size={size} />
  const look = 'w-auto max-w-40 shrink-0 object-contain'
  return (
    <>
      <img src={logo} alt="" style={{ height: size }} className={cx(look, logoDark && 'dark:hidden')} />
      {logoDark && <img src={logoDark} alt="" style={{ height: size }} className={cx(look, 'hidden dark:block')} />}
    </>
  )
}

/** An open C and the mark that closes it: two hands to one document. */
function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path d="M22.6 9.4a9.4 9.4 0 1 0 0 13.2" className="stroke-on-accent" strokeWidth="3" strokeLinecap="round" />
      <path
        d="m12.4 16.2 3.4 3.4 8.2-8.2"
        className="stroke-on-accent"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        opacity="0.6"
      />
    </svg>
  )
}
