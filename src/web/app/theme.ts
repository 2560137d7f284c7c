/** Light, dark, or whatever the machine says. */
export type Theme = 'dark' | 'light' | 'machine'

const KEY = 'signalbox.theme'

export function chooseTheme(theme: Theme): void {
  if (theme === 'machine') {
    localStorage.removeItem(KEY)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(KEY, theme)
    document.documentElement.dataset['theme'] = theme
  }
}
