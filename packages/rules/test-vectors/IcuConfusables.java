import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.SpoofChecker;
import com.ibm.icu.util.VersionInfo;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints packages/rules/src/names/confusables.ts: which characters are taken for which others, as ICU knows it from Unicode's
 * confusables.txt (UTS 39), and the small capitals, which that file holds apart from their letters. Run it again when
 * Unicode has a new version, with ICU4J beside it (mvn dependency:copy -Dartifact=com.ibm.icu:icu4j:78.2):
 *
 *     java -cp icu4j-78.2.jar IcuConfusables.java > ../src/names/confusables.ts
 *
 * Left out is what ASCII's own characters are taken for: `look-alike-names.ts` decides about these itself.
 */
class IcuConfusables {
  private static final int LONGEST_LINE = 120;


  public static void main(String[] arguments) {
    SpoofChecker checker = new SpoofChecker.Builder().build();
    Normalizer2 nfd = Normalizer2.getNFDInstance();
    Map<String, StringBuilder> byPrototype = new TreeMap<>();
    for (int codePoint = 0x80; codePoint <= UCharacter.MAX_VALUE; codePoint++) {
      int type = UCharacter.getType(codePoint);
      if (type == UCharacterCategory.UNASSIGNED || type == UCharacterCategory.SURROGATE) continue;
      String character = UCharacter.toString(codePoint);
      // Names are compared character by character after they are decomposed.
      if (!nfd.normalize(character).equals(character)) continue;
      String prototype = prototypeOf(checker, codePoint, character);
      // What is not seen is left out of the comparison anyhow.
      if (prototype.isEmpty() || prototype.equals(character)) continue;
      String key = hex(prototype);
      byPrototype.computeIfAbsent(key, ignored -> new StringBuilder()).append(' ').append(Integer.toHexString(codePoint));
    }
    System.out.printf("""
        /**
         * Characters that are taken for others, as hexadecimal code points: a prototype, whose characters are joined by `+`, and
         * those that look like it, up to a semicolon. Made by test-vectors/IcuConfusables.java from ICU4J %s,
         * which holds confusables.txt of Unicode %s (UTS 39), under the Unicode License. Do not edit it.
         */
        export const confusables = `
        """, VersionInfo.ICU_VERSION, UCharacter.getUnicodeVersion());
    StringBuilder line = new StringBuilder();
    for (Map.Entry<String, StringBuilder> entry : byPrototype.entrySet()) {
      String next = entry.getKey() + entry.getValue() + ";";
      if (line.length() > 0 && line.length() + next.length() > LONGEST_LINE) {
        System.out.println(line);
        line.setLength(0);
      }
      line.append(next);
    }
    System.out.println(line);
    System.out.println("`");
  }

  private static String prototypeOf(SpoofChecker checker, int codePoint, String character) {
    String name = UCharacter.getName(codePoint);
    // "LATIN LETTER SMALL CAPITAL P"; not those with a stroke or turned, which are letters of their own.
    if (name != null && name.matches("LATIN LETTER SMALL CAPITAL [A-Z]")) {
      return name.substring(name.length() - 1).toLowerCase();
    }
    return checker.getSkeleton(character);
  }

  private static String hex(String text) {
    return text.codePoints().mapToObj(Integer::toHexString).collect(Collectors.joining("+"));
  }
}
