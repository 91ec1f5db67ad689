import '@countersign/react/sheet.css'
import './page.css'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Account } from './account.tsx'
import { Providers } from './providers.tsx'
import { appId, getSession } from './session.ts'

export const metadata: Metadata = { title: 'Countersign with the app router', icons: 'data:,' }

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers appId={appId} initialSession={await getSession()}>
          <header>
            <strong>App router</strong>
            <Account />
          </header>
          <main>{children}</main>
        </Providers>
      </body>
    </html>
  )
}
