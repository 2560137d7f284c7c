// Before anything is drawn, so that nobody who chose dark sees a white page first.
const chosen = localStorage.getItem('signalbox.theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
