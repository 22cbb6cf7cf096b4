// The sign of Disburse. Drawn here, so that no page waits for its file; mark.svg is the icon of the browser's tab.

export function BrandMark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" stroke="#fff" aria-hidden>
      <rect width="32" height="32" rx="8" fill="#4a54c9" stroke="none" />
      <path
        d="M10 8.5h6.2c4.7 0 7.8 3 7.8 7.5s-3.1 7.5-7.8 7.5H10"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path
        d="M8 16h8.5m-3.4-3.6 3.6 3.6-3.6 3.6"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
