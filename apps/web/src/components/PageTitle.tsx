import { useConfig } from '../lib/useConfig.ts'

/** The document's title: the screen first, since tabs are cut off at the end. */
export function PageTitle({ children }: { children: string }) {
  const { appName } = useConfig()
  return <title>{children === appName ? appName : `${children} · ${appName}`}</title>
}
