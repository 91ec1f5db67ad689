import type { ReactNode } from 'react'

/** What is known of something, name by name. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line text-sm">{children}</dl>
}
