import { Link } from 'react-router'
import { useConfig } from '../lib/useConfig.ts'
import { Logo } from './Logo.tsx'

export function Brand() {
  const { appName } = useConfig()
  return (
    <Link
      to="/"
      className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-control text-lg font-bold tracking-tight"
    >
      <Logo />
      <bdi className="truncate">{appName}</bdi>
    </Link>
  )
}
