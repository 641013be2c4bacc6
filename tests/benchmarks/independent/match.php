<?php
// One request a line: {"patterns": [[source, flags], ...], "texts": [...]} -> [[pattern, text, [groups]], ...]
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $found = [];
    foreach ($asked['patterns'] as $number => [$source, $flags]) {
        $pattern = "\x01" . $source . "\x01" . preg_replace('/[^imsxu]/', '', $flags);
        if (@preg_match($pattern, '') === false) {
            $found[] = [$number, -1, []];
            continue;
        }
        foreach ($asked['texts'] as $at => $text) {
            if (@preg_match($pattern, $text, $groups, PREG_UNMATCHED_AS_NULL)) {
                $values = array_filter($groups, 'is_int', ARRAY_FILTER_USE_KEY);
                $found[] = [$number, $at, array_slice(array_values($values), 1)];
            }
        }
    }
    echo json_encode($found, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
