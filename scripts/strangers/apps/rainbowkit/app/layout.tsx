import type { ReactNode } from 'react'
import { Root } from './Root'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Root>{children}</Root>
      </body>
    </html>
  )
}
