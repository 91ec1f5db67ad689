/**
 * Looks of a photographed screen.
 *
 * @type {{ name: string, title: string, viewport: { width: number, height: number }, colorScheme: 'light' | 'dark', isMobile?: boolean, scale: number, language?: string, only?: string[] }[]}
 */
export const looks = [
  { name: 'desktop', title: 'Desktop', viewport: { width: 1280, height: 860 }, colorScheme: 'light', scale: 0.75 },
  { name: 'dark', title: 'Dark', viewport: { width: 1280, height: 860 }, colorScheme: 'dark', scale: 0.75 },
  {
    name: 'phone',
    title: 'Phone',
    viewport: { width: 390, height: 844 },
    colorScheme: 'light',
    isMobile: true,
    scale: 1,
  },
  {
    name: 'phone-dark',
    title: 'Phone, dark',
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    isMobile: true,
    scale: 1,
  },
  ...wideLooks(1440, 'laptop'),
  ...wideLooks(1920, 'wide'),
  {
    name: 'right-to-left',
    title: 'Right to left',
    viewport: { width: 1280, height: 860 },
    colorScheme: 'light',
    scale: 0.75,
    language: 'ar',
    only: ['home', 'security', 'portfolio', 'portfolio-transfers', 'sessions', 'explorer-transaction'],
  },
]

/**
 * The console on the screen of an operator, light and dark.
 *
 * @param {number} width
 * @param {string} name
 */
function wideLooks(width, name) {
  const viewport = { width, height: 1080 }
  return [
    { name, title: `${width} px`, viewport, colorScheme: /** @type {const} */ ('light'), scale: 0.75 },
    {
      name: `${name}-dark`,
      title: `${width} px, dark`,
      viewport,
      colorScheme: /** @type {const} */ ('dark'),
      scale: 0.75,
    },
  ]
}
