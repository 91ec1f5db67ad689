import '@countersign/react/sheet.css'
import '../components/page.css'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Providers } from './providers.tsx'
import { getSession } from './session.ts'

export const metadata: Metadata = { title: 'Messages · {{name}}', icons: '/favicon.svg' }

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers initialSession={await getSession()}>{children}</Providers>
      </body>
    </html>
  )
}
