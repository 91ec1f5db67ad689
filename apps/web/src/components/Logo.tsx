import { cx } from '../lib/cx.ts'
import { useConfigState } from '../lib/useConfigState.ts'
import { Mark } from './Mark.tsx'

/** The logo of whoever runs this, at home in both themes; our own mark where none is set. */
export function Logo({ size = 32 }: { size?: number }) {
  const state = useConfigState()
  // Before the configuration has come nobody knows whose logo it is: the place is kept.
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
