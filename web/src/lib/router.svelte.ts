// Where we are: a path, read into a screen. Secrets of links stand after the '#', which no server sees.

export type Route =
  | { screen: 'home' }
  | { screen: 'new'; opponent: 'computer' | 'friend' | 'local' }
  | { screen: 'table'; id: string }
  | { screen: 'join'; code: string }
  | { screen: 'recover'; token: string }
  | { screen: 'replay'; id: string; at: number | null }
  | { screen: 'verify'; id: string }
  | { screen: 'settings' }
  | { screen: 'help' }
  | { screen: 'missing' };

export function readRoute(path: string, query: string, hash: string): Route {
  const [, first = '', id = ''] = path.split('/').map(decode);
  const secret = decode(hash.replace(/^#/, ''));
  const search = new URLSearchParams(query);
  if (first === '') return { screen: 'home' };
  if (first === 'settings' || first === 'help') return { screen: first };
  if (first === 'new') {
    const wish = search.get('with');
    return { screen: 'new', opponent: wish === 'friend' || wish === 'local' ? wish : 'computer' };
  }
  if (first === 'recover') return { screen: 'recover', token: secret || id };
  if (!id) return { screen: 'missing' };
  if (first === 't') return { screen: 'table', id };
  if (first === 'verify') return { screen: 'verify', id };
  if (first === 'join') return { screen: 'join', code: id };
  if (first === 'replay') {
    const at = Number(search.get('at') ?? NaN);
    return { screen: 'replay', id, at: Number.isInteger(at) && at >= 0 ? at : null };
  }
  return { screen: 'missing' };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const here = (): Route => readRoute(location.pathname, location.search, location.hash);

let current = $state.raw<Route>(here());

export const route = (): Route => current;

export function go(path: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path);
  current = here();
  window.scrollTo(0, 0);
}

/** Links inside the house do not load the page anew. */
function onClick(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.download) return;
  if (link.origin !== location.origin || link.pathname.startsWith('/api') || link.pathname === '/docs') return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

export function followAddress(): () => void {
  const onPop = (): void => void (current = here());
  addEventListener('popstate', onPop);
  addEventListener('hashchange', onPop);
  document.addEventListener('click', onClick);
  return () => {
    removeEventListener('popstate', onPop);
    removeEventListener('hashchange', onPop);
    document.removeEventListener('click', onClick);
  };
}
