import { useConfig } from '../lib/useConfig.ts'
import { TextLink } from './TextLink.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

export function SiteFooter() {
  const { appName, outbox } = useConfig()
  return (
    <footer className="mx-auto mt-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-6 text-sm text-muted sm:px-6">
      <p>{appName} keeps its own accounts. No one else is asked when you sign in.</p>
      <div className="flex items-center gap-4">
        {outbox && (
          <TextLink to="/outbox" className="inline-flex min-h-11 items-center">
            Outbox
          </TextLink>
        )}
        <ThemeToggle />
      </div>
    </footer>
  )
}
